import { createWorld } from 'bitecs';
import { addRigidBody, addShell, castRay, createPhysics, pinVertex, setWind, unpinVertex } from 'stiction';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
const pole = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.03 }, position: [-0.5, 2, 0] });

// #region mesh
const [columns, rows] = [9, 7];
const vertices: number[][] = [];
const triangles: number[][] = [];
for (let j = 0; j < rows; j++) {
  for (let i = 0; i < columns; i++) {
    vertices.push([-0.5 + i / 8, 2 - j / 8, 0]); // [m]
    if (i + 1 === columns || j + 1 === rows) continue;
    const a = j * columns + i;
    // Diagonals take turns: the cloth is no stiffer one way than the other.
    if ((i + j) % 2 === 0) triangles.push([a, a + columns, a + columns + 1], [a, a + columns + 1, a + 1]);
    else triangles.push([a, a + columns, a + 1], [a + 1, a + columns, a + columns + 1]);
  }
}
// #endregion mesh

// #region shell
const banner = addShell(physics, {
  vertices,
  triangles,
  thickness: 0.004, // [m]; surfaces rest at the sum of their half thicknesses
  density: 80, // [kg/m³]: 0.32 kg/m²
  stretchModulus: 2e6, // [Pa]
  bendingModulus: 5e4, // [Pa]
  damping: 0.003, // [s]
  friction: 0.4,
  airDrag: 1, // [kg/m³]
  pins: [columns - 1, { vertex: 0, body: pole }], // held in the world; following a body
});
// #endregion shell

// #region wind
setWind(physics, [0, 0, 3]); // [m/s]
// #endregion wind

// #region hold
/** Moves a held corner; called every step it follows a hand. */
export const pull = (x: number, y: number, z: number): void =>
  pinVertex(physics, banner, columns - 1, { point: [x, y, z] });
export const drop = (): void => unpinVertex(physics, banner, columns - 1);
// #endregion hold

// #region pick
/** Seizes the vertex of any cloth that a ray meets. */
export function seize(from: number[], way: number[]): void {
  const hit = castRay(physics, from, way, 100, { elastic: true });
  if (!hit?.feature) return; // nothing, or a body
  const { nodes, weights } = hit.feature;
  const nearest = nodes[weights.indexOf(Math.max(...weights))];
  pinVertex(physics, hit.entity, nearest, { point: hit.point });
}
// #endregion pick

// #region draw
/** After physics.interpolate(): for vertex buffers. */
export function drawCloth(
  draw: (positions: Float32Array, normals: Float32Array, triangles: Uint32Array) => void,
): void {
  const { positions, normals } = physics.shells;
  const { firstVertex, vertexCount, firstTriangle, triangleCount } = physics.components.Shell;
  const [v, t] = [3 * firstVertex[banner], 3 * firstTriangle[banner]];
  draw(
    positions.subarray(v, v + 3 * vertexCount[banner]),
    normals.subarray(v, v + 3 * vertexCount[banner]),
    physics.shells.triangles.subarray(t, t + 3 * triangleCount[banner]), // counted from the shell's first vertex
  );
}
// #endregion draw
export { banner, physics };
