// What strand detection works with: its question, and its scratch cut into arrays.
//
// In: the blocks that TypeScript hands in, counts in the header. Out: addresses that the other strand files read.
// One block outlives the call: a further look within the step (DETECT_APPEND) finds there the boxes and the candidates
// of the first. What is good for one call lies elsewhere (STRAND_PASSING_ADDRESS: collision/strands says where). The
// contacts of the last step are read from their own table.

import {
  KIND_ROD,
  MISSING_STRAND_CANDIDATES,
  NODE_CONTACT_COUNT,
  NODE_COUNT,
  NODE_POSITION,
  NODE_VELOCITY,
  STRAND_CANDIDATE_ROOM,
  STRAND_COUNT,
  STRAND_DETECTION_KEPT,
  STRAND_DETECTION_RESERVE,
  STRAND_KIND,
  STRAND_NODES,
  STRAND_PAIR_ROOM,
  STRAND_PASSING_ADDRESS,
  TIME_STEP,
} from '../../../state/layout';
import { DETECT_APPEND, DETECT_CONTINUOUS, DETECT_RETRY, LEAST_PAIRS } from '../../../state/rod-layout';
import { cell, column, getI32, parameter, setCell } from '../memory';
import { openScratch, scratchTop, take } from '../scratch';

/**
 * Bytes of an edge's box, f32 relative to the work's origin: min x y z, spare; max x y z, spare; least, then greatest
 * components along the four diagonals.
 */
export const BOX: usize = 64;
/** Bytes of an edge's box for bodies, six f64. */
export const BODY_BOX: usize = 48;
/**
 * Bytes of four boxes of the tree: f32×4 of least x, y, z; of greatest; of least components along the diagonals; of
 * greatest.
 */
export const BLOCK: usize = 224;
/** Bytes of an edge's record: f64 middle x y z, radius; then f32 half vector, length. */
export const RECORD: usize = 48;
export const RADIUS: usize = 24;
export const HALF: usize = 32;
export const LENGTH: usize = 44;
/** Bytes of an edge's traits: i32 strand, rod and bits. */
export const TRAIT: usize = 8;
export const TRAIT_SELF: i32 = 1 << 30;
export const TRAIT_CLAMPED: i32 = 1 << 29;
export const TRAIT_ASLEEP: i32 = 1 << 28;
export const TRAIT_ROD: i32 = TRAIT_ASLEEP - 1;
/** Bytes of what the test of pairs knows of an edge (proximity/lanes). */
export const FACTS: usize = 80;
/** Bytes of a leaf in the list of a walk: its number, its first edge, MEET_* of proximity/candidates. */
export const LISTED: usize = 12;
/** Bytes of a candidate's bound of distance (proximity/kept-apart). */
export const APART_BYTES: usize = 2;
/** Bytes of a hit; its fields are named in strand-hits. */
export const HIT: usize = 96;

/** Edges that may leave their boxes before all are made anew, and as a share of all. */
const LEAST_LOOSE: i32 = 64;
/**
 * The reserve of boxes, a share of the radius: it grows while more than one edge in MANY leaves its box
 * within a step and shrinks while fewer than one in FEW do. (More: more candidates; less: more boxes
 * made anew.) The contacts of a first detection do not depend on it. Those of further looks do, within what `harmless`
 * allows: an edge that leaves its box is looked at then and there, moved by more than that or not, and so are all when
 * too many leave theirs. So the reserve belongs to the state: it is kept in a cell of the header.
 */
const FIRST_RESERVE: f64 = 0.3;
const LEAST_RESERVE: f64 = 0.1;
const MOST_RESERVE: f64 = 0.5;
const MANY: i32 = 24;
const FEW: i32 = 200;
const LOOSE_SHARE: i32 = 8;

export let nodes: i32 = 0;
export let strands: i32 = 0;
export let dt: f64 = 0;
export let velocity: usize = 0;
export let position: usize = 0;
/** Share of its radius by which a node's displacement may change before its boxes are made anew. */
export let reserveShare: f64 = 0;
export let continuous: bool = false;
export let append: bool = false;
/** Contacts are made up to this share of the sum of the radii. */
export let nearShare: f64 = 0;
/** Share of its radius that a node may stray from where it was last looked at before it is looked at again. */
export let harmless: f64 = 0;

// ── What a further look finds again ──────────────────────────
export let traits: usize = 0;
/** f64 per node: rest length from the strand's start to the node [m]. */
export let arcs: usize = 0;
/** Bytes per node: 1 if its edge has a box. */
export let hasBox: usize = 0;
export let records: usize = 0;
/** f32×4 per node: displacement over the step less the mean one [m], radius of its rod [m]. */
export let motions: usize = 0;
/** f32×4 per node: that displacement when the box was made, and the square of how far it may stray from that. */
export let boxed: usize = 0;
/** f32×4 per node: the same when it was last looked at, and the square of the change that does no harm. */
export let looked: usize = 0;
/** Bytes per edge: MOVED, STRAY (proximity/looks). */
export let flags: usize = 0;
// The tree (proximity/leaves). Blocks of the boxes of each leaf's edges, each branch's leaves, and of those above.
export let leafBlocks: usize = 0;
export let branchBlocks: usize = 0;
export let topBlocks: usize = 0;
/** 16 bytes per leaf: what it holds. */
export let leafInfo: usize = 0;
/** Boxes of branches, as those of edges. */
export let branchBoxes: usize = 0;
/** i32 per branch + 1: its first leaf; per strand the same. */
export let branchLeaf: usize = 0;
export let strandLeaf: usize = 0;
/** u64 per branch, twice: branches along the curve; i32: its place there. */
export let branchKeys: usize = 0;
export let topPlace: usize = 0;
export let looseRoom: i32 = 0;
/** Pairs of edges (2 × i32, the smaller first) whose boxes overlap and that may meet. */
export let candidates: usize = 0;
/** Per candidate: lower bound of its edges' distance at the start of the step [m]; 0 unknown (kept-apart). */
export let keptApart: usize = 0;
export let candidateRoom: i32 = 0;

// ── What is good for one call ────────────────────────────
export let boxes: usize = 0;
/** What the test of pairs knows of each edge (proximity/lanes). */
export let facts: usize = 0;
/** Lists of a walk. */
export let walkLists: usize = 0;
/** Rows of proximity/near. */
export let nearRows: usize = 0;
export let nearRoom: i32 = 0;
/** Boxes of the edges of a strand in f64, for bodies. */
export let bodyBoxes: usize = 0;
/** Contacts of the last step: a byte each, whether it goes on; rows by key; per node (+ 1) where its own begin. */
export let oldUsed: usize = 0;
export let oldStart: usize = 0;
export let oldCount: i32 = 0;
export let oldOrder: usize = 0;
export let hits: usize = 0;
/** f64×4 per hit: the force it starts with; they lie over the facts. */
export let hitForces: usize = 0;
export let hitStart: usize = 0;
export let hitOrder: usize = 0;
export let hitCapacity: i32 = 0;

let block: usize = 0;
/** Where the candidates' distances lay in the block of the last call, and of how many: more room moves them on. */
let apartPlace: usize = 0;
let apartRoom: i32 = 0;
let keptNodes: i32 = 0;
let keptStep: f64 = 0;
let keptShare: f64 = 0;

/** Most levels of the tree above its branches. */
const MOST_LEVELS: usize = 16;

/** Rows of near pairs that have room at least: those of three edges of a strand in a dense bundle are some sixty. */
const LEAST_NEAR: i32 = 16;

/** Bytes of so many rows of near pairs; three more may be written behind them. */
export function nearBytesOf(room: i32): usize {
  return (<usize>room + 4) << 5;
}

/** Bytes of the lists of a walk: marks of branches, and leaves. */
export function walkListBytes(leaves: usize, branches: usize): usize {
  return ((branches + 63) >> 6) * 8 + (leaves + 4) * LISTED;
}

/** Places what outlives a call; returns its bytes. */
function cutKept(start: usize): usize {
  const n = <usize>cell(NODE_COUNT);
  const strandCount = <usize>cell(STRAND_COUNT);
  openScratch(start);
  traits = take(n * TRAIT);
  arcs = take(n * 8);
  hasBox = take(n);
  records = take(n * RECORD);
  motions = take((n + 1) * 16);
  boxed = take(n * 16);
  looked = take(n * 16);
  flags = take(n);
  looseRoom = max(LEAST_LOOSE, <i32>n / LOOSE_SHARE);
  const leaves = leafRoom();
  const branches = branchRoom();
  leafBlocks = take(leaves * BLOCK);
  branchBlocks = take(branches * BLOCK);
  topBlocks = take(((branches + 2) / 3 + MOST_LEVELS) * BLOCK);
  leafInfo = take(leaves * 16);
  branchBoxes = take(branches * BOX);
  branchLeaf = take((branches + 1) * 4);
  strandLeaf = take(strandCount * 4);
  branchKeys = take(branches * 16);
  topPlace = take(branches * 4);
  // Lists may be written a little beyond their ends.
  candidates = take(candidateBytes());
  keptApart = take(<usize>candidateRoom * APART_BYTES + 16);
  return scratchTop - start;
}

function candidateBytes(): usize {
  candidateRoom = max(LEAST_PAIRS, cell(STRAND_CANDIDATE_ROOM));
  return <usize>candidateRoom * 8 + 32;
}

/** Bytes of a strand's boxes for bodies, of the longest one. */
export function bodyBoxBytes(): usize {
  const kinds = column(STRAND_KIND);
  const lengths = column(STRAND_NODES);
  const count = cell(STRAND_COUNT);
  let longest = 0;
  for (let strand = 0; strand < count; strand++)
    if (getI32(kinds, strand) == KIND_ROD) longest = max(longest, getI32(lengths, strand));
  return <usize>longest * BODY_BOX;
}

// A strand ends in a leaf and a branch that may not be full.
function leafRoom(): usize {
  return (<usize>cell(NODE_COUNT) >> 2) + <usize>cell(STRAND_COUNT);
}

function branchRoom(): usize {
  return (<usize>cell(NODE_COUNT) >> 4) + <usize>cell(STRAND_COUNT);
}

/**
 * Places what is good for one call, `further`: of a further look along the whole way, which lists no pairs near each
 * other.
 */
function cutPassing(start: usize, capacity: i32, further: bool): usize {
  const n = <usize>cell(NODE_COUNT);
  const before = <usize>cell(NODE_CONTACT_COUNT);
  const room = <usize>capacity;
  openScratch(start);
  nearRoom = further ? 0 : max(LEAST_NEAR, cell(STRAND_PAIR_ROOM));
  nearRows = take(further ? 0 : nearBytesOf(nearRoom));
  // Boxes are done with when the tree is built, before there are candidates, whose room they take where it is enough;
  // what the test knows of edges when all pairs are met. Forces come last.
  const isRoom = candidateBytes() >= n * BOX;
  boxes = isRoom ? candidates : scratchTop;
  facts = scratchTop;
  hitForces = scratchTop;
  const known: usize = further ? 0 : n * FACTS;
  const bare: usize = isRoom ? 0 : n * BOX;
  take(max(max(known, bare), room * 32));
  bodyBoxes = take(bodyBoxBytes());
  walkLists = take(walkListBytes(leafRoom(), branchRoom()));
  oldUsed = take(before);
  oldStart = take((n + 2) * 4);
  oldOrder = take(before * 4);
  hits = take(room * HIT);
  hitStart = take((n + 2) * 4);
  hitOrder = take(room * 4);
  return scratchTop - start;
}

/** Memory of a detection that later ones of the step find again [B]. */
export function strandKeptSize(): usize {
  return cutKept(0);
}

/** Memory of a call that may make `capacity` contacts, and of the call alone [B]. */
export function strandPassingSize(capacity: i32, further: bool): usize {
  return cutPassing(0, capacity, further);
}

/**
 * Takes the question; `velocities` is an address of rows of four f64 per node, 0 for the node table's own. With
 * DETECT_RETRY the block holds what the try before left, candidates and their distances where they were in it.
 */
export function beginWork(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  question: i32,
  still: f64,
): void {
  cutKept(scratch);
  const isRetry = (question & DETECT_RETRY) != 0;
  if (isRetry && keptApart != scratch + apartPlace) {
    memory.copy(keptApart, scratch + apartPlace, <usize>apartRoom * APART_BYTES);
  }
  apartPlace = keptApart - scratch;
  apartRoom = candidateRoom;
  const further = DETECT_APPEND | DETECT_CONTINUOUS;
  cutPassing(<usize>cell(STRAND_PASSING_ADDRESS), capacity, (question & further) == further);
  block = scratch;
  hitCapacity = capacity;
  takeQuestion(timeStep, velocities, share, question);
  oldCount = cell(NODE_CONTACT_COUNT);
  // A try that had too little room may have changed the cell for the next look.
  const reserve = cell(STRAND_DETECTION_RESERVE);
  if (!isRetry) reserveShare = reserve > 0 ? 1e-6 * <f64>reserve : FIRST_RESERVE;
  harmless = still;
  setCell(MISSING_STRAND_CANDIDATES, 0);
}

/** Nodes, step and velocities of a detection; without memory: as surfaces ask, which have their own. */
export function takeQuestion(timeStep: f64, velocities: usize, share: f64, question: i32): void {
  nodes = cell(NODE_COUNT);
  strands = cell(STRAND_COUNT);
  dt = timeStep > 0 ? timeStep : parameter(TIME_STEP);
  position = column(NODE_POSITION);
  velocity = velocities == 0 ? column(NODE_VELOCITY) : velocities;
  nearShare = share;
  continuous = (question & DETECT_CONTINUOUS) != 0;
  append = (question & DETECT_APPEND) != 0;
}

/** Lets hits go to rows at an address, for those who take them from there at once. */
export function lendHits(address: usize, capacity: i32): void {
  hits = address;
  hitCapacity = capacity;
}

/** After a further look: `strays` edges left their boxes since these were made. */
export function adaptReserve(strays: i32): void {
  const next = strays * MANY > nodes ? reserveShare * 1.25 : strays * FEW < nodes ? reserveShare * 0.9 : reserveShare;
  setCell(STRAND_DETECTION_RESERVE, <i32>(1e6 * max(LEAST_RESERVE, min(MOST_RESERVE, next))));
}

/** Whether the block holds boxes and candidates of a detection for the same nodes, step and margin. */
export function hasKept(): bool {
  return <usize>cell(STRAND_DETECTION_KEPT) == block && keptNodes == nodes && keptStep == dt && keptShare == nearShare;
}

/** Says whether it does from now on. */
export function setKept(kept: bool): void {
  setCell(STRAND_DETECTION_KEPT, kept ? <i32>block : 0);
  keptNodes = nodes;
  keptStep = dt;
  keptShare = nearShare;
}

/** Mean displacement of an edge's two ends, lanes x y z 0. */
export function meanOf(edge: i32): v128 {
  const at = motions + ((<usize>edge) << 4);
  return f32x4.mul(f32x4.add(v128.load(at), v128.load(at, 16)), f32x4.splat(0.5));
}

/** Half of what the second end moves beyond the first. */
export function bendOf(edge: i32): v128 {
  const at = motions + ((<usize>edge) << 4);
  return f32x4.mul(f32x4.sub(v128.load(at, 16), v128.load(at)), f32x4.splat(0.5));
}
