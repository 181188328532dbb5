// `stiction tetrahedra`: tetrahedra of an elastic solid from a surface, or from another program's file, with their
// quality.

import { basename, extname } from 'node:path';
import { UsageError } from '../../core/errors';
import { checkTetrahedra, measureTetrahedra } from '../../geometry/tetrahedra';
import type { TetrahedronMesh, TriangleMesh } from '../../scene/meshes/mesh';
import { isTetrahedronFile, readTetrahedra, readTriangleMesh } from '../../scene/meshes/read-mesh';
import { type Arguments, parseArguments, wholeArgument, wordArgument } from '../arguments';
import { isSameFile, prepareOutput, readBytes } from '../files';
import { createProgress } from '../progress';
import { CallError, type Command, EXIT, type Streams } from '../usage';
import { FILL_STEPS, fillSurface, measureSurface } from './fill-surface';
import { openFiller } from './tet-maker';
import { voxelise } from './voxelise';

const help = `stiction tetrahedra MESH [options]

Fills a closed surface (.obj, .ply, .stl, .glb) with the tetrahedra of an elastic solid, or takes those of a .msh,
.vtk or .node file (with its .ele beside it), measures them, and writes them to FILE. Prints a report as JSON.

  --out FILE          .json: an entry of a scene's "solids"; .msh: Gmsh 2.2 (default: only the report)
  --cells N           about so many cells along the longest side (default 10)
  --method M          conforming: the boundary is the surface, made even and coarser (default); needs the package
                      physx-js-webidl (npm install --no-save physx-js-webidl);
                      voxels: cubes of five tetrahedra around it, of better shape, which carry the surface
  --surface           .json: the surface goes with the cage, to be drawn
  --scale S           multiplies every coordinate, for files that are not in metres (default 1)
  --least-ratio R     mean ratio below which a tetrahedron is refused, 0 to 1 (default 0.2)
  --quiet             no progress bar
  --help              this text

Exit status: 0 done, 1 the tetrahedra are no good (inverted, or of too low a mean ratio; nothing is written),
2 the input or the call is wrong.
`;

/** What `stiction tetrahedra` prints. */
export interface TetrahedraResult {
  file: string | null;
  method: 'conforming' | 'voxels' | 'read';
  /** The surface that was filled [m³]. */
  surface: { vertices: number; triangles: number; volume: number } | null;
  vertices: number;
  tetrahedra: number;
  /** [m³] */
  volume: number;
  inverted: number;
  /** 12 (3 V)^⅔ / Σ edge²: 1 for a regular tetrahedron, 0 for a flat one [-]. */
  meanRatio: { least: number; mean: number };
}

const FLAGS: Readonly<Record<string, 'value' | 'switch'>> = {
  out: 'value',
  cells: 'value',
  method: 'value',
  scale: 'value',
  'least-ratio': 'value',
  surface: 'switch',
  quiet: 'switch',
};
const METHODS = ['conforming', 'voxels'] as const;
/** More would be millions of tetrahedra. */
const MOST_CELLS = 200;

/** The command `tetrahedra`. */
export const tetrahedra: Command = {
  name: 'tetrahedra',
  summary: 'fill a surface with the tetrahedra of an elastic solid',
  help,
  async run(args, streams) {
    // The call.
    const parsed = parseArguments(args, FLAGS);
    const [path, ...others] = parsed.positionals;
    if (path === undefined) throw new CallError('MESH is missing: stiction tetrahedra MESH --out FILE');
    if (others.length > 0) throw new CallError(`one MESH at a time, got ${JSON.stringify(others[0])} as well`);
    const out = parsed.value('out');
    if (out !== undefined && !['.json', '.msh'].includes(extname(out)))
      throw new CallError(`--out: must end in .json or .msh, got ${JSON.stringify(out)}`);
    const cells = wholeArgument(parsed, 'cells', 2) ?? 10;
    if (cells > MOST_CELLS) throw new CallError(`--cells: must be at most ${MOST_CELLS}, got ${cells}`);
    const method = wordArgument(parsed, 'method', METHODS, 'conforming');
    const scale = numberArgument(parsed, 'scale', 1, Number.MAX_VALUE);
    const leastRatio = numberArgument(parsed, 'least-ratio', 0.2, 1);
    const output = out === undefined ? null : prepareOutput(out);
    if (out !== undefined && isSameFile(path, out))
      throw new CallError(`--out: must not be ${path} itself, which would be lost`);

    // The mesh.
    let surface: TriangleMesh | null = null;
    let mesh: TetrahedronMesh;
    if (isTetrahedronFile(path)) mesh = scaled(readSolid(path), scale);
    else {
      const read = inFile(path, () => readTriangleMesh(readBytes(path), path));
      surface = scaled(read, scale);
      if (method === 'voxels') mesh = voxelise(surface, cells);
      else mesh = await fill(path, surface, { cells, leastRatio, quiet: parsed.has('quiet') }, streams);
    }

    // Its quality.
    const { volume, inverted, leastRatio: least, worst, meanRatio } = measureTetrahedra(mesh.vertices, mesh.tetrahedra);
    const result: TetrahedraResult = {
      file: out ?? null,
      method: surface === null ? 'read' : method,
      surface: surface && {
        vertices: surface.vertices.length / 3,
        triangles: surface.triangles.length / 3,
        volume: measureSurface(surface).volume,
      },
      vertices: mesh.vertices.length / 3,
      tetrahedra: mesh.tetrahedra.length / 4,
      volume,
      inverted: inverted.length,
      meanRatio: { least, mean: meanRatio },
    };
    streams.out(`${JSON.stringify(result, null, 1)}\n`);
    const advice = surface === null ? '' : '; try other --cells, or --method voxels';
    if (inverted.length > 0) {
      throw new Error(`${path}: tetrahedra[${inverted[0]}]: volume must be > 0${moreThan(inverted.length)}${advice}`);
    }
    if (least < leastRatio) {
      throw new Error(`${path}: tetrahedra[${worst}]: mean ratio must be >= ${leastRatio}, got ${least}${advice}`);
    }
    checkTetrahedra(mesh.vertices, mesh.tetrahedra, path);
    const isEmbedded = parsed.has('surface') || method === 'voxels';
    if (output && out) {
      const text = out.endsWith('.msh') ? writeMsh(mesh) : writeEntry(path, mesh, isEmbedded ? surface : null);
      output.write(text);
    }
    return EXIT.done;
  },
};

/** Fills a surface behind a progress bar. */
async function fill(
  path: string,
  surface: TriangleMesh,
  { cells, leastRatio, quiet }: { cells: number; leastRatio: number; quiet: boolean },
  streams: Streams,
): Promise<TetrahedronMesh> {
  const filler = await openFiller();
  const progress = createProgress(streams, FILL_STEPS, quiet);
  let last = performance.now();
  try {
    return fillSurface(filler, path, surface, { cells, leastRatio }, (done) => {
      const now = performance.now();
      progress.show(done, now - last);
      last = now;
    });
  } finally {
    progress.clear();
  }
}

const moreThan = (count: number) => (count > 1 ? ` (and of ${count - 1} more)` : '');

function numberArgument(parsed: Arguments, flag: string, otherwise: number, most: number): number {
  const text = parsed.value(flag);
  if (text === undefined) return otherwise;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= 0 && number <= most && (number > 0 || flag !== 'scale')))
    throw new CallError(
      `--${flag}: must be a number ${flag === 'scale' ? '> 0' : `0 to ${most}`}, got ${JSON.stringify(text)}`,
    );
  return number;
}

function scaled<T extends { readonly vertices: Float64Array }>(mesh: T, scale: number): T {
  return { ...mesh, vertices: mesh.vertices.map((value) => scale * value) };
}

function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

function readSolid(path: string): TetrahedronMesh {
  const elements = extname(path).toLowerCase() === '.node' ? readBytes(path.replace(/\.node$/i, '.ele')) : undefined;
  return inFile(path, () => readTetrahedra(readBytes(path), path, elements));
}

const rows = (values: ArrayLike<number>, width: number): number[][] =>
  Array.from({ length: values.length / width }, (_, i) =>
    Array.from({ length: width }, (__, k) => values[width * i + k]),
  );

/** An entry of `solids`; positions in single precision, as files have them. */
function writeEntry(path: string, mesh: TetrahedronMesh, surface: TriangleMesh | null): string {
  const short = (values: Float64Array) => values.map((value) => Number(value.toPrecision(8)));
  const lines = [
    `"name": ${JSON.stringify(basename(path, extname(path)))}`,
    `"vertices": ${JSON.stringify(rows(short(mesh.vertices), 3))}`,
    `"tetrahedra": ${JSON.stringify(rows(mesh.tetrahedra, 4))}`,
  ];
  if (surface !== null) {
    const vertices = JSON.stringify(rows(short(surface.vertices), 3));
    lines.push(`"surface": { "vertices": ${vertices}, "triangles": ${JSON.stringify(rows(surface.triangles, 3))} }`);
  }
  return `{\n  ${lines.join(',\n  ')}\n}\n`;
}

/** Gmsh 2.2, text. */
function writeMsh(mesh: TetrahedronMesh): string {
  const nodes = rows(mesh.vertices, 3).map((place, i) => `${i + 1} ${place.join(' ')}`);
  const elements = rows(mesh.tetrahedra, 4).map((corners, t) => `${t + 1} 4 0 ${corners.map((i) => i + 1).join(' ')}`);
  return [
    ...['$MeshFormat', '2.2 0 8', '$EndMeshFormat', '$Nodes', nodes.length, ...nodes, '$EndNodes'],
    ...['$Elements', elements.length, ...elements, '$EndElements', ''],
  ].join('\n');
}
