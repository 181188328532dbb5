// Which tests of WebGPU run. Software takes a tenth of a second a step: `npm test` has single steps against wasm and
// short worlds, `npm run test:gpu` whole runs (GPU_SUITE=long), and GPU_SUITE=all also those of a quarter of an hour.

import process from 'node:process';

const { GPU_SUITE } = process.env;
export const isAll = GPU_SUITE === 'all';
export const isLong = isAll || GPU_SUITE === 'long';
