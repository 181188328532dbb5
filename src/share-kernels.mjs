// Makes kernels that several threads can run at once on one shared memory: vite.config.ts calls it for a second build.
//
// A thread's instance is a twin of the main thread's: when a job begins it gets the same globals and the same static
// data, and what it writes there is its own. So a kernel needs no change but to name its ranges.
//   shareSource   static data lies `OWN` bytes beyond the main thread's, whose OWN is 0
//   shareBinary   two exports: keepState(to) writes globals and static data behind each other, takeState(from) reads
//                 them. Globals that hold addresses of static data are each thread's own and left out.

const DATA = /\bmemory\.data(?=[(<])/g;
const DECLARED = '\n// @ts-expect-error: decorator\n@global\n@external("env", "own")\ndeclare const OWN: usize;\n';

/** A source of the kernels, with static data of the thread's own; `isEntry`: the module's first file. */
export function shareSource(text, isEntry) {
  return text.replaceAll(DATA, 'OWN + memory.data') + (isEntry ? DECLARED : '');
}

/** The binary (with names) of such sources, its static data in `from` to `to`; without names. */
export async function shareBinary(binary, from, to) {
  const { default: binaryen } = await import('binaryen');
  const module = binaryen.readBinary(binary);
  module.setFeatures(binaryen.Features.All);
  const own = ownGlobals(binaryen, module);
  const globals = [];
  for (let i = 0; i < module.getNumGlobals(); i++) {
    const { name, type, mutable } = binaryen.getGlobalInfo(module.getGlobalByIndex(i));
    if (mutable && !own.has(name)) globals.push({ name, type });
  }
  addState(binaryen, module, globals, from, dataEnd(binaryen, module, from, to));
  binaryen.setDebugInfo(false);
  if (!module.validate()) throw new Error('shared kernels: the module with its state exported is not valid');
  const out = module.emitBinary();
  module.dispose();
  return out;
}

/** Names of the globals that the start function computes: addresses. */
function ownGlobals(binaryen, module) {
  const found = new Set();
  const functions = new Set();
  const visit = (expression) => {
    if (expression === 0) return;
    const info = binaryen.getExpressionInfo(expression);
    if (info.id === binaryen.BlockId) info.children.forEach(visit);
    else if (info.id === binaryen.CallId) visitFunction(info.target);
    else if (info.id === binaryen.GlobalSetId) {
      if (binaryen.getExpressionId(info.value) !== binaryen.ConstId) found.add(info.name);
    } else throw new Error(`shared kernels: the start function does more than set globals, expression ${info.id}`);
  };
  const visitFunction = (name) => {
    if (functions.has(name)) return;
    functions.add(name);
    visit(binaryen.getFunctionInfo(module.getFunction(name)).body);
  };
  const start = module.getStart();
  if (start !== 0) visit(binaryen.getFunctionInfo(start).body);
  return found;
}

/** End of the static data. */
function dataEnd(binaryen, module, from, to) {
  let end = from;
  for (let i = 0; i < module.getNumDataSegments(); i++) {
    const { offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(i));
    const start = typeof offset === 'number' ? offset : binaryen.getExpressionInfo(offset).value;
    end = Math.max(end, start + data.byteLength);
  }
  if (!(end <= to)) throw new Error(`shared kernels: static data must lie in ${from}..${to}, got an end of ${end}`);
  return 16 * Math.ceil(end / 16);
}

function addState(binaryen, module, globals, from, end) {
  const { i32, i64, f32, f64, v128, none } = binaryen;
  const views = new Map([
    [i32, { bytes: 4, view: module.i32 }],
    [i64, { bytes: 8, view: module.i64 }],
    [f32, { bytes: 4, view: module.f32 }],
    [f64, { bytes: 8, view: module.f64 }],
    [v128, { bytes: 16, view: module.v128 }],
  ]);
  const place = () => module.local.get(0, i32);
  const keep = [];
  const take = [];
  let at = 0;
  for (const { name, type } of globals) {
    const { bytes, view } = views.get(type);
    keep.push(view.store(at, 1, place(), module.global.get(name, type)));
    take.push(module.global.set(name, view.load(at, 1, place())));
    at += bytes;
  }
  at = 16 * Math.ceil(at / 16);
  const behind = () => module.i32.add(place(), module.i32.const(at));
  const statics = () => module.i32.add(module.global.get(ownName(binaryen, module), i32), module.i32.const(from));
  const size = () => module.i32.const(end - from);
  keep.push(module.memory.copy(behind(), statics(), size()));
  take.push(module.memory.copy(statics(), behind(), size()));
  const add = (name, result, body) => {
    module.addFunction(name, i32, result, [], body);
    module.addFunctionExport(name, name);
  };
  add('keepState', none, module.block(null, keep));
  add('takeState', none, module.block(null, take));
  module.addFunction('stateSize', none, i32, [], module.i32.const(at + end - from));
  module.addFunctionExport('stateSize', 'stateSize');
}

/** The imported global of that meaning, as the binary calls it. */
function ownName(binaryen, module) {
  for (let i = 0; i < module.getNumGlobals(); i++) {
    const { name, module: from, base } = binaryen.getGlobalInfo(module.getGlobalByIndex(i));
    if (from === 'env' && base === 'own') return name;
  }
  throw new Error('shared kernels: nothing has static data');
}
