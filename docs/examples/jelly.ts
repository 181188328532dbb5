import { createWorld } from 'bitecs';
import {
  addGroom,
  addRigidBody,
  addSolid,
  attach,
  createPhysics,
  growOn,
  pinVertex,
  type SolidSpec,
  solidPositions,
  unpinVertex,
} from 'stiction';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });

// #region mesh
/** A box of cells of six tetrahedra each: vertices [x, y, z] in metres, tetrahedra as four of their numbers. */
export function boxOfCells(cells: [number, number, number], size: number, height: number) {
  const around = [4, 6, 2, 3, 1, 5]; // corners of a cell are 4x + 2y + z: six tetrahedra about the diagonal 0–7
  const [nx, ny, nz] = cells;
  const number = (i: number, j: number, k: number) => (i * (ny + 1) + j) * (nz + 1) + k;
  const vertices: number[][] = [];
  const tetrahedra: number[][] = [];
  for (let i = 0; i <= nx; i++) {
    for (let j = 0; j <= ny; j++) {
      for (let k = 0; k <= nz; k++) {
        vertices.push([size * (i - nx / 2), height + size * j, size * (k - nz / 2)]);
        if (i === nx || j === ny || k === nz) continue;
        const corner = (c: number) => number(i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1));
        around.forEach((c, at) => {
          tetrahedra.push([corner(0), corner(c), corner(around[(at + 1) % 6]), corner(7)]);
        });
      }
    }
  }
  return { vertices, tetrahedra };
}
// #endregion mesh

// #region solid
const jelly = addSolid(physics, {
  ...boxOfCells([2, 2, 2], 0.15, 0.02),
  youngModulus: 6e4, // [Pa]: soft rubber has 1e6, jelly 1e4
  poissonRatio: 0.4,
  density: 1000, // [kg/m³]
  damping: 0.01, // [s]
  friction: 0.5,
});
const crate = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, mass: 5, position: [0, 0.5, 0] });
// #endregion solid

// #region hold
/** Lifts a corner by hand: again every step moves it. */
export function lift(height: number): void {
  const [x, , z] = solidPositions(physics, jelly);
  pinVertex(physics, jelly, 0, { point: [x, height, z] });
}
export const letGo = (): void => unpinVertex(physics, jelly, 0);
/** A joint that pulls both ways. */
export const tie = (body: number): number => attach(physics, { solid: jelly, vertex: 26, body });
// #endregion hold

// #region clay
export function addClay(): number {
  const mesh = boxOfCells([4, 4, 4], 0.05, 0.4);
  return addSolid(physics, { ...mesh, youngModulus: 3e5, yieldStress: 2000, damping: 0.001 });
}
// #endregion clay

// #region draw
/** After physics.interpolate(): for vertex buffers. */
export function drawJelly(
  draw: (positions: Float32Array, normals: Float32Array, triangles: Uint32Array) => void,
): void {
  const { positions, normals, triangles } = physics.solids;
  const { firstVertex, vertexCount, firstTriangle, triangleCount } = physics.components.Solid;
  const [v, t] = [3 * firstVertex[jelly], 3 * firstTriangle[jelly]];
  draw(
    positions.subarray(v, v + 3 * vertexCount[jelly]),
    normals.subarray(v, v + 3 * vertexCount[jelly]),
    triangles.subarray(t, t + 3 * triangleCount[jelly]), // counted from the solid's first vertex
  );
}
// #endregion draw

// #region embed
/** A cage and its mesh: `stiction tetrahedra bear.glb --method voxels --cells 5 --out bear.json` writes them. */
type Embedded = Pick<SolidSpec, 'vertices' | 'tetrahedra' | 'surface'>;

export function addToy(bear: Embedded): number {
  return addSolid(physics, { ...bear, youngModulus: 9e4, poissonRatio: 0.4, damping: 0.02, radius: 0.006 });
}
// #endregion embed

// #region fur
/** Hairs that stand on the jelly's top, five points each. */
export function addFur(rows: number): number {
  const positions: number[] = [];
  for (let i = 0; i < rows * rows; i++) {
    const [x, z] = [i % rows, Math.floor(i / rows)].map((k) => 0.25 * ((k + 0.5) / rows - 0.5));
    for (let k = 0; k < 5; k++) positions.push(x, 0.32 + 0.02 * k, z);
  }
  const counts = new Array(rows * rows).fill(5);
  const fur = addGroom(physics, { strands: { counts, positions }, radius: 0.0005, youngModulus: 1e8 });
  growOn(physics, fur, jelly);
  return fur;
}
// #endregion fur

// #region stiffen
/** Columns are live: firmer from the next step on. */
export function stiffen(factor: number): void {
  physics.components.Solid.youngModulus[jelly] *= factor;
}
// #endregion stiffen
export { crate, jelly, physics };
