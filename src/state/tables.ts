// The tables of the simulation: what it is, as columns over the one memory. Units and meanings: layout.ts.

import type { Arena, ArenaLayout } from '../core/arena';
import { createTable, f64, i32, type Table, type TableControl } from '../core/table';
import * as L from './layout';

/** Where the arena of a world keeps its books. */
export const ARENA_LAYOUT: ArenaLayout = {
  header: L.HEADER,
  headerEnd: L.HEADER_END,
  base: L.ARENA_BASE,
  top: L.ARENA_TOP,
  free: L.ARENA_FREE,
};

const bodySchema = {
  flags: i32(L.BODY_FLAGS),
  entity: i32(L.BODY_ENTITY),
  generation: i32(L.BODY_GENERATION),
  collider: i32(L.BODY_COLLIDER, 1, -1),
  awakeIndex: i32(L.BODY_AWAKE_INDEX, 1, -1),
  island: i32(L.BODY_ISLAND, 1, -1),
  position: f64(L.BODY_POSITION, 4),
  rotation: f64(L.BODY_ROTATION, 4),
  linearVelocity: f64(L.BODY_LINEAR_VELOCITY, 4),
  angularVelocity: f64(L.BODY_ANGULAR_VELOCITY, 4),
  force: f64(L.BODY_FORCE, 4),
  torque: f64(L.BODY_TORQUE, 4),
  inverseMass: f64(L.BODY_INVERSE_MASS),
  localInertia: f64(L.BODY_LOCAL_INERTIA, 8),
  localInverseInertia: f64(L.BODY_LOCAL_INVERSE_INERTIA, 8),
  inverseInertia: f64(L.BODY_INVERSE_INERTIA, 8),
  damping: f64(L.BODY_DAMPING, 4),
  targetPosition: f64(L.BODY_TARGET_POSITION, 4),
  targetRotation: f64(L.BODY_TARGET_ROTATION, 4),
  previousPosition: f64(L.BODY_PREVIOUS_POSITION, 4),
  previousRotation: f64(L.BODY_PREVIOUS_ROTATION, 4),
  center: f64(L.BODY_CENTER, 4),
  next: i32(L.BODY_NEXT, 1, -1),
  velocityChange: f64(L.BODY_VELOCITY_CHANGE, 8),
  motion: f64(L.BODY_MOTION, 8),
  surfaceVelocity: f64(L.BODY_SURFACE_VELOCITY, 4),
  pending: f64(L.BODY_PENDING, 8),
  sweptUntil: i32(L.BODY_SWEPT_UNTIL),
  shape: i32(L.BODY_SHAPE),
  joint: i32(L.BODY_JOINT, 1, -1),
  // Lists with at most one entry a body share the table's capacity.
  awakeList: i32(L.AWAKE_LIST),
  wakeList: i32(L.WAKE_LIST),
  sleepList: i32(L.SLEEP_LIST),
  quarantineList: i32(L.QUARANTINE_LIST),
  islandBodies: i32(L.ISLAND_BODIES),
  islandBodyStart: i32(L.ISLAND_BODY_START),
  islandBodyCount: i32(L.ISLAND_BODY_COUNT),
  islandPairStart: i32(L.ISLAND_PAIR_START),
  islandPairCount: i32(L.ISLAND_PAIR_COUNT),
  islandPointCount: i32(L.ISLAND_POINT_COUNT),
  islandJointStart: i32(L.ISLAND_JOINT_START),
  islandJointCount: i32(L.ISLAND_JOINT_COUNT),
  islandSolver: i32(L.ISLAND_SOLVER),
  islandResidual: f64(L.ISLAND_RESIDUAL),
} as const;

const colliderSchema = {
  body: i32(L.COLLIDER_BODY, 1, -1),
  shape: i32(L.COLLIDER_SHAPE, 1, -1),
  flags: i32(L.COLLIDER_FLAGS),
  layers: i32(L.COLLIDER_LAYERS),
  material: f64(L.COLLIDER_MATERIAL, 2),
  rolling: f64(L.COLLIDER_ROLLING, 2),
  localPosition: f64(L.COLLIDER_LOCAL_POSITION, 4),
  localRotation: f64(L.COLLIDER_LOCAL_ROTATION, 4),
  position: f64(L.COLLIDER_POSITION, 4),
  rotation: f64(L.COLLIDER_ROTATION, 4),
  box: f64(L.COLLIDER_BOX, 6),
  node: i32(L.COLLIDER_NODE, 1, -1),
  next: i32(L.COLLIDER_NEXT, 1, -1),
  entity: i32(L.COLLIDER_ENTITY),
  pair: i32(L.COLLIDER_PAIR, 1, -1),
  movedList: i32(L.MOVED_LIST),
  path: f64(L.COLLIDER_PATH, 2),
} as const;

const shapeSchema = {
  kind: i32(L.SHAPE_KIND),
  parameter: f64(L.SHAPE_PARAMETER, 4),
  data: i32(L.SHAPE_DATA),
  box: f64(L.SHAPE_BOX, 6),
} as const;

const pairSchema = {
  colliderA: i32(L.PAIR_COLLIDER_A),
  colliderB: i32(L.PAIR_COLLIDER_B),
  bodyA: i32(L.PAIR_BODY_A),
  bodyB: i32(L.PAIR_BODY_B),
  flags: i32(L.PAIR_FLAGS),
  points: i32(L.PAIR_POINTS),
  normal: f64(L.PAIR_NORMAL, 4),
  tangent: f64(L.PAIR_TANGENT, 4),
  material: f64(L.PAIR_MATERIAL, 4),
  point: f64(L.PAIR_POINT, 16),
  feature: i32(L.PAIR_FEATURE, 4),
  impulse: f64(L.PAIR_IMPULSE, 16),
  cache: i32(L.PAIR_CACHE, 4),
  entity: i32(L.PAIR_ENTITY),
  activeIndex: i32(L.PAIR_ACTIVE_INDEX, 1, -1),
  next: i32(L.PAIR_NEXT, 1, -1),
  island: i32(L.PAIR_ISLAND, 1, -1),
  link: i32(L.PAIR_LINK, 4, -1),
  hit: f64(L.PAIR_HIT, 4),
  load: f64(L.PAIR_LOAD),
  approach: f64(L.PAIR_APPROACH),
  activeList: i32(L.ACTIVE_LIST),
  // Four cells a pair slot keep the open-addressing hash at most a quarter full.
  hash: i32(L.PAIR_HASH, 4),
  beginList: i32(L.BEGIN_LIST),
  endList: i32(L.END_LIST, 3),
  islandPairs: i32(L.ISLAND_PAIRS),
  joinedList: i32(L.JOINED_LIST),
} as const;

const treeSchema = {
  box: f64(L.TREE_BOX, 6),
  parent: i32(L.TREE_PARENT, 1, -1),
  child: i32(L.TREE_CHILD, 2, -1),
  collider: i32(L.TREE_COLLIDER, 1, -1),
  height: i32(L.TREE_HEIGHT),
} as const;

const factorSchema = {
  key: i32(L.FACTOR_KEY),
  contacts: i32(L.FACTOR_CONTACTS),
  step: i32(L.FACTOR_STEP),
  address: i32(L.FACTOR_ADDRESS),
  bytes: i32(L.FACTOR_BYTES),
} as const;

const settledSchema = {
  key: i32(L.SETTLED_KEY),
  bodies: i32(L.SETTLED_BODIES),
  step: i32(L.SETTLED_STEP),
  calm: i32(L.SETTLED_CALM),
  until: i32(L.SETTLED_UNTIL),
  failures: i32(L.SETTLED_FAILURES),
  address: i32(L.SETTLED_ADDRESS),
  bytes: i32(L.SETTLED_BYTES),
  next: i32(L.SETTLED_NEXT),
  making: i32(L.SETTLED_MAKING),
} as const;

const rodSchema = {
  flags: i32(L.ROD_FLAGS),
  entity: i32(L.ROD_ENTITY),
  strandStart: i32(L.ROD_STRAND_START),
  strandCount: i32(L.ROD_STRAND_COUNT),
  nodeStart: i32(L.ROD_NODE_START),
  nodeCount: i32(L.ROD_NODE_COUNT),
  next: i32(L.ROD_NEXT, 1, -1),
  layers: i32(L.ROD_LAYERS),
  parameter: f64(L.ROD_PARAMETER, 8),
  extra: f64(L.ROD_EXTRA, 4),
  weave: f64(L.ROD_WEAVE, 4),
} as const;

const strandSchema = {
  rod: i32(L.STRAND_ROD, 1, -1),
  first: i32(L.STRAND_FIRST),
  nodes: i32(L.STRAND_NODES),
  flags: i32(L.STRAND_FLAGS),
  attach: i32(L.STRAND_ATTACH, 2, -1),
  clamp: f64(L.STRAND_CLAMP, 24),
  clampRest: f64(L.STRAND_CLAMP_REST, 12),
  calm: f64(L.STRAND_CALM),
  kind: i32(L.STRAND_KIND),
  ring: i32(L.STRAND_RING, 2),
  box: f64(L.STRAND_REST_BOX, 6),
  triangles: i32(L.OBJECT_TRIANGLES, 2),
  meshEdges: i32(L.OBJECT_MESH_EDGES, 2),
  tetrahedra: i32(L.OBJECT_TETRAHEDRA, 2),
  riders: i32(L.OBJECT_RIDERS),
  root: i32(L.STRAND_ROOT, 4),
  rootPlace: f64(L.STRAND_ROOT_PLACE, 8),
  rootForce: f64(L.STRAND_ROOT_FORCE, 8),
} as const;

const nodeSchema = {
  strand: i32(L.NODE_STRAND, 1, -1),
  position: f64(L.NODE_POSITION, 4),
  velocity: f64(L.NODE_VELOCITY, 4),
  previous: f64(L.NODE_PREVIOUS, 4),
  frame: f64(L.NODE_FRAME, 4),
  rest: f64(L.NODE_REST, 8),
  stiffness: f64(L.NODE_STIFFNESS, 4),
  mass: f64(L.NODE_MASS, 2),
  dual: f64(L.NODE_DUAL, 4),
  force: f64(L.NODE_FORCE, 4),
  predicted: f64(L.NODE_PREDICTED, 4),
} as const;

const nodeContactSchema = {
  node: i32(L.NODE_CONTACT_NODE, 4, -1),
  weight: f64(L.NODE_CONTACT_WEIGHT, 4),
  normal: f64(L.NODE_CONTACT_NORMAL, 4),
  force: f64(L.NODE_CONTACT_FORCE, 4),
  side: i32(L.NODE_CONTACT_SIDE, 4, -1),
  key: i32(L.NODE_CONTACT_KEY, 4),
  arm: f64(L.NODE_CONTACT_ARM, 4),
  material: f64(L.NODE_CONTACT_MATERIAL, 4),
  drift: f64(L.NODE_CONTACT_DRIFT, 4),
} as const;

const triangleSchema = {
  node: i32(L.TRIANGLE_NODE, 4, -1),
  rest: f64(L.TRIANGLE_REST, 8),
  edge: i32(L.TRIANGLE_EDGE, 4, -1),
} as const;

const meshEdgeSchema = {
  node: i32(L.MESH_EDGE_NODE, 4, -1),
  triangle: i32(L.MESH_EDGE_TRIANGLE, 4, -1),
  rest: f64(L.MESH_EDGE_REST, 4),
} as const;

const tetrahedronSchema = {
  node: i32(L.TETRAHEDRON_NODE, 4, -1),
  rest: f64(L.TETRAHEDRON_REST, 12),
  middle: i32(L.TETRAHEDRON_MIDDLE, 8, -1),
  object: i32(L.TETRAHEDRON_OBJECT, 1, -1),
} as const;

const attachmentSchema = {
  flags: i32(L.ATTACHMENT_FLAGS),
  entity: i32(L.ATTACHMENT_ENTITY),
  rod: i32(L.ATTACHMENT_ROD, 1, -1),
  node: i32(L.ATTACHMENT_NODE),
  body: i32(L.ATTACHMENT_BODY, 1, -1),
  point: f64(L.ATTACHMENT_POINT, 4),
  impulse: f64(L.ATTACHMENT_IMPULSE, 4),
  next: i32(L.ATTACHMENT_NEXT, 1, -1),
  other: i32(L.ATTACHMENT_OTHER, 2, -1),
  give: f64(L.ATTACHMENT_GIVE, 4),
} as const;

const jointSchema = {
  flags: i32(L.JOINT_FLAGS),
  entity: i32(L.JOINT_ENTITY),
  kind: i32(L.JOINT_KIND),
  body: i32(L.JOINT_BODY, 2, -1),
  link: i32(L.JOINT_LINK, 2, -1),
  next: i32(L.JOINT_NEXT, 1, -1),
  modes: i32(L.JOINT_MODES),
  frame: f64(L.JOINT_FRAME, 16),
  axes: f64(L.JOINT_AXES, 48),
  value: f64(L.JOINT_VALUE, 6),
  bend: f64(L.JOINT_BEND, 6),
  impulse: f64(L.JOINT_IMPULSE, 18),
  reaction: f64(L.JOINT_REACTION, 8),
  strength: f64(L.JOINT_STRENGTH, 2),
  islandJoints: i32(L.ISLAND_JOINTS),
} as const;

const actorSchema = {
  flags: i32(L.ACTOR_FLAGS),
  entity: i32(L.ACTOR_ENTITY),
  body: i32(L.ACTOR_BODY, 1, -1),
  next: i32(L.ACTOR_NEXT, 1, -1),
  state: f64(L.ACTOR_STATE, L.ACTOR_NUMBERS),
} as const;

export type BodyTable = Table<typeof bodySchema>;
export type ColliderTable = Table<typeof colliderSchema>;
export type ShapeTable = Table<typeof shapeSchema>;
export type PairTable = Table<typeof pairSchema>;
export type TreeTable = Table<typeof treeSchema>;
export type FactorTable = Table<typeof factorSchema>;
export type SettledTable = Table<typeof settledSchema>;
export type RodTable = Table<typeof rodSchema>;
export type StrandTable = Table<typeof strandSchema>;
export type NodeTable = Table<typeof nodeSchema>;
export type NodeContactTable = Table<typeof nodeContactSchema>;
export type TriangleTable = Table<typeof triangleSchema>;
export type MeshEdgeTable = Table<typeof meshEdgeSchema>;
export type TetrahedronTable = Table<typeof tetrahedronSchema>;
export type AttachmentTable = Table<typeof attachmentSchema>;
export type JointTable = Table<typeof jointSchema>;
export type ActorTable = Table<typeof actorSchema>;

export interface Tables {
  readonly bodies: BodyTable;
  readonly colliders: ColliderTable;
  readonly shapes: ShapeTable;
  readonly pairs: PairTable;
  readonly tree: TreeTable;
  readonly factors: FactorTable;
  readonly settled: SettledTable;
  readonly rods: RodTable;
  readonly strands: StrandTable;
  readonly nodes: NodeTable;
  readonly nodeContacts: NodeContactTable;
  readonly triangles: TriangleTable;
  readonly meshEdges: MeshEdgeTable;
  readonly tetrahedra: TetrahedronTable;
  readonly attachments: AttachmentTable;
  readonly joints: JointTable;
  readonly actors: ActorTable;
  readonly control: Record<
    | 'bodies'
    | 'colliders'
    | 'shapes'
    | 'pairs'
    | 'tree'
    | 'rods'
    | 'strands'
    | 'nodes'
    | 'nodeContacts'
    | 'triangles'
    | 'meshEdges'
    | 'tetrahedra'
    | 'attachments'
    | 'joints'
    | 'actors',
    TableControl
  >;
}

/** Makes all tables, empty, with room for `bodies` bodies at first; they grow. */
export function createTables(arena: Arena, bodies = 64): Tables {
  const [body, bodyControl] = createTable(arena, bodySchema, L.BODY_CAPACITY, bodies);
  const [collider, colliderControl] = createTable(arena, colliderSchema, L.COLLIDER_CAPACITY, bodies);
  const [shape, shapeControl] = createTable(arena, shapeSchema, L.SHAPE_CAPACITY, 16);
  const [pair, pairControl] = createTable(arena, pairSchema, L.PAIR_CAPACITY, bodies * 4);
  const [tree, treeControl] = createTable(arena, treeSchema, L.TREE_CAPACITY, bodies * 2);
  const [factors] = createTable(arena, factorSchema, L.FACTOR_CAPACITY, 256);
  const [settled] = createTable(arena, settledSchema, L.SETTLED_CAPACITY, 128);
  const [rods, rodControl] = createTable(arena, rodSchema, L.ROD_CAPACITY, 4);
  const [strands, strandControl] = createTable(arena, strandSchema, L.STRAND_CAPACITY, 4, true);
  const [nodes, nodeControl] = createTable(arena, nodeSchema, L.NODE_CAPACITY, 16, true);
  const [nodeContacts, nodeContactControl] = createTable(arena, nodeContactSchema, L.NODE_CONTACT_CAPACITY, 16, true);
  const [triangles, triangleControl] = createTable(arena, triangleSchema, L.TRIANGLE_CAPACITY, 4, true);
  const [meshEdges, meshEdgeControl] = createTable(arena, meshEdgeSchema, L.MESH_EDGE_CAPACITY, 4, true);
  const [tetrahedra, tetrahedronControl] = createTable(arena, tetrahedronSchema, L.TETRAHEDRON_CAPACITY, 4, true);
  const [attachments, attachmentControl] = createTable(arena, attachmentSchema, L.ATTACHMENT_CAPACITY, 4);
  const [joints, jointControl] = createTable(arena, jointSchema, L.JOINT_CAPACITY, 4);
  const [actors, actorControl] = createTable(arena, actorSchema, L.ACTOR_CAPACITY, 4);
  arena.i32[L.ACTOR_FREE >> 2] = -1;
  arena.i32[L.ROD_FREE >> 2] = -1;
  arena.i32[L.JOINT_FREE >> 2] = -1;
  arena.i32[L.ATTACHMENT_FREE >> 2] = -1;
  arena.i32[L.PAIR_FREE >> 2] = -1;
  arena.i32[L.PAIR_PENDING >> 2] = -1;
  arena.i32[L.TREE_FREE >> 2] = -1;
  arena.i32[L.TREE_ROOT >> 2] = -1;
  arena.i32[L.HASH_MASK >> 2] = bodies * 16 - 1;

  return {
    bodies: body,
    colliders: collider,
    shapes: shape,
    pairs: pair,
    tree,
    factors,
    settled,
    rods,
    strands,
    nodes,
    nodeContacts,
    triangles,
    meshEdges,
    tetrahedra,
    attachments,
    joints,
    actors,

    control: {
      bodies: bodyControl,
      colliders: colliderControl,
      shapes: shapeControl,
      pairs: pairControl,
      tree: treeControl,
      rods: rodControl,
      strands: strandControl,
      nodes: nodeControl,
      nodeContacts: nodeContactControl,
      triangles: triangleControl,
      meshEdges: meshEdgeControl,
      tetrahedra: tetrahedronControl,
      attachments: attachmentControl,
      joints: jointControl,
      actors: actorControl,
    },
  };
}
