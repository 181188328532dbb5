// What kernels read and write, and the type of each buffer in WGSL: it stands here once, not in every kernel.
//
//   @reads(edges, rods)                      storage that a kernel reads
//   @writes(contacts, atomic counters)       … and writes; counted by atomics
//   @writes(hits: array<u32>)                … that it sees as something else than other kernels do
// Bindings are numbered in this order, behind those that the source declares itself (uniforms).

const NAMES_BY_TYPE: Readonly<Record<string, string>> = {
  'array<f32>': 'weights',
  'array<u32>':
    'cells claims colours counters cursors heads list meetings moved order pairStarts reachable report starts',
  'array<vec2f>': 'masses work',
  'array<vec2u>': 'found',
  'array<vec4f>':
    'delta duals elements factors forces frames free holds inertias origins pins points positions predicted previous ' +
    'projected reactions reduced reference rests velocities',
  'array<vec4i>': 'places',
  'array<vec4u>': 'pairs',
  // Impulse and moment.
  'array<mat2x4f>': 'carried impulses ring',
  'array<Body>': 'bodies',
  'array<Box>': 'boxes',
  'array<Collider>': 'colliders',
  'array<Contact>': 'contacts last',
  'array<Edge>': 'edges',
  'array<Filed>': 'filed',
  'array<Holder>': 'holders',
  'array<Mover>': 'movers',
  'array<Rod>': 'rods',
  'array<Row>': 'rows',
  'array<Strand>': 'strands',
  Grid: 'grid',
  Hits: 'hits',
};

const TYPES = new Map(
  Object.entries(NAMES_BY_TYPE).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);

const LIST = /^@(reads|writes)\((.*)\)$/gm;
/** Commas between items, not those within a type. */
const BETWEEN = /, (?![^<]*>)/;

/** A WGSL source with its lists of buffers as declarations, each list on the line where it stood. */
export function declareBuffers(source: string): string {
  const taken = source.replace(/\/\/.*/g, '').matchAll(/@binding\((\d+)\)/g);
  let number = Math.max(-1, ...Array.from(taken, ([, own]) => Number(own)));
  return source.replace(LIST, (_, verb: string, list: string) =>
    list
      .split(BETWEEN)
      .map((item) => `@group(0) @binding(${++number}) var<storage, ${ACCESS[verb]}> ${declarationOf(item)};`)
      .join(' '),
  );
}

const ACCESS: Readonly<Record<string, string>> = { reads: 'read', writes: 'read_write' };

/** Name and type of an item of a list. */
function declarationOf(item: string): string {
  if (item.includes(':')) return item;
  const name = item.replace('atomic ', '');
  const type = TYPES.get(name);
  if (type === undefined)
    throw new Error(`@reads, @writes: ${name} has no type: name: type, or gpu/device/buffer-types`);
  return `${name}: ${name === item ? type : type.replace('u32', 'atomic<u32>')}`;
}
