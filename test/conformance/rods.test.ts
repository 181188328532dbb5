// The conformance suite on the backends of the CPU.
import { describe, expect, test } from 'vitest';
import { elasticBackendName } from '../../src/dynamics/elastic/step-rods';
import { createRodWorld, steps } from '../validation/strand-worlds';
import { jointSuite, type RodBackend, rodSuite } from './rod-suite';

describe.each(['reference', 'wasm'] as const)('%s', (name) => {
  const backend: RodBackend = {
    test,
    createWorld: (settings = {}) => createRodWorld({ ...settings, elastic: { ...settings.elastic, backend: name } }),
    steps,
    written() {},
    hasWholeSnapshot: true,
    exact: { force: 4, momentum: 5, rest: 1e-6 },
  };

  test('is the backend that was asked for', () => {
    const { physics } = createRodWorld({ elastic: { backend: name } });
    expect(elasticBackendName(physics.internal.engine)).toBe(name);
  });

  jointSuite(backend);
  rodSuite(backend);
});
