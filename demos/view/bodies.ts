// The bodies of a session on the stage. Only bodies that moved are written; a batch whose bodies all rest is not
// uploaded.

import { hasComponent } from 'bitecs';
import { islandOf } from '../../src/index';
import type { Session } from '../app/session';
import type { DemoScene, ShapeFile } from '../scenes/demo-scene';
import { type Batch, chooseRecipes, createBatch, fillBatch, writeMatrix } from './batches';
import { colorOf, ISLAND_COLORS, linear, lookOf, SLEEPING_COLOR } from './looks';
import type { Stage } from './stage';

export interface Tints {
  islands: boolean;
  sleeping: boolean;
}

export interface BodyView {
  /** Height of the ground, null if the scene has none [m]. */
  readonly groundHeight: number | null;
  /** Bodies drawn. */
  readonly count: number;
  /** Meshes they need. */
  readonly batchCount: number;
  /** Writes the poses of what moved since the last call; `interpolated` chooses the columns. */
  update(interpolated: boolean): void;
  /** Colours bodies by island or sleep, or as they are. */
  tint(tints: Tints): void;
  dispose(): void;
}

/** A static box as wide as this, or a level plane, is drawn as the ground [m]. */
const GROUND_SIZE = 20;
/** Width of a tile of what materials are made of, as a share of how far away the camera stands. */
const [TILE, USUAL_DISTANCE] = [0.16, 12];
/** Scenes of more bodies than this are drawn with coarser meshes: nobody sees the facets of one in thousands. */
const CROWD = 1500;

/** What is drawn of a session: bodies of one look and shape in one batch. */
interface Batches {
  readonly batches: readonly Batch[];
  /** Where each entity is. */
  readonly places: ReadonlyMap<number, { readonly batch: Batch; readonly index: number }>;
  /** Height of the ground, which is no body here; null if there is none [m]. */
  readonly groundHeight: number | null;
}

function fillBatches(stage: Stage, session: Session, demo: DemoScene | null, detail: number): Batches {
  const { entities, specs, materials } = session;
  const batches = new Map<string, Batch>();
  const places = new Map<number, { batch: Batch; index: number }>();
  let groundHeight: number | null = null;

  const shapes = new Map<string, ShapeFile>();
  for (const [name, spec] of specs) shapes.set(name, plainShape(spec.shape as ShapeFile));
  const recipes = chooseRecipes(shapes);
  const tile = TILE * (demo?.camera.distance ?? USUAL_DISTANCE);
  let order = 0;
  for (const [name, eid] of entities) {
    const recipe = recipes.get(name);
    const shape = shapes.get(name);
    if (!recipe || !shape) continue;
    const fixed = specs.get(name)?.type === 'static';
    const top = fixed ? groundTop(shape, session.starts.get(name)?.position ?? [0, 0, 0]) : null;
    if (top !== null) {
      groundHeight = Math.max(groundHeight ?? top, top);
      continue;
    }
    const look = lookOf(materials.get(name), fixed);
    const own = colorOf(look, demo?.paint?.(name), order++);
    const paints = demo?.paintParts?.(name)?.map((colour) => (colour ? linear(colour) : own)) ?? null;
    const key = `${look.finish} ${look.grain} ${recipe.key} ${paints ?? ''}`;
    let batch = batches.get(key);
    if (!batch) {
      batch = createBatch(stage, recipe, look, entities.size > CROWD ? 0.5 * detail : detail, tile, paints);
      batches.set(key, batch);
    }
    places.set(eid, { batch, index: batch.entities.length });
    batch.entities.push(eid);
    batch.scales.push(...recipe.scale);
    batch.baseColors.push(...(paints ? [1, 1, 1] : own), 1);
  }
  for (const batch of batches.values()) fillBatch(batch);
  return { batches: [...batches.values()], places, groundHeight };
}

/** Colours a batch as its bodies are, or by island and sleep. */
function tintBatch(batch: Batch, { physics, fixed }: Session, tints: Tints): void {
  const { Sleeping } = physics.components;
  batch.colors.set(batch.baseColors);
  batch.entities.forEach((eid, i) => {
    if (tints.islands && !fixed.has(eid)) {
      const island = islandOf(physics, eid);
      if (island > 0) mix(batch.colors, 4 * i, ISLAND_COLORS[(island - 1) % ISLAND_COLORS.length], 0.85);
    }
    if (tints.sleeping && hasComponent(physics.world, eid, Sleeping)) mix(batch.colors, 4 * i, SLEEPING_COLOR, 0.8);
  });
  batch.mesh.thinInstanceBufferUpdated('color');
}

export function createBodyView(stage: Stage, session: Session, demo: DemoScene | null, detail: number): BodyView {
  const { physics } = session;
  const { batches, places, groundHeight } = fillBatches(stage, session, demo, detail);

  const write = (eid: number, interpolated: boolean) => {
    const place = places.get(eid);
    if (!place) return;
    const { position, rotation } = interpolated ? physics.components.Interpolated : physics.components.Transform;
    writeMatrix(place.batch, place.index, position, rotation, eid);
  };
  const upload = () => {
    for (const batch of batches) {
      if (batch.moved) batch.mesh.thinInstanceBufferUpdated('matrix');
      batch.moved = false;
    }
  };
  for (const eid of places.keys()) write(eid, false);
  upload();

  // Moved in any step since the last frame, and moving at the last frame: a body that comes to rest in between is
  // drawn between its last two poses and must be put right once.
  const touched = new Set<number>();
  const moving = new Set<number>();
  const stopCollecting = physics.schedule.after(
    'copy-out',
    () => {
      const { entities: list, count } = physics.moved;
      for (let i = 0; i < count; i++) touched.add(list[i]);
    },
    'collect-moved',
  );

  let tinted = false;
  return {
    groundHeight,
    count: places.size,
    batchCount: batches.length,
    update(interpolated) {
      const { entities: list, count } = physics.moved;
      for (let i = 0; i < count; i++) {
        touched.delete(list[i]);
        moving.delete(list[i]);
        write(list[i], interpolated);
      }
      for (const eid of touched) write(eid, false);
      for (const eid of moving) write(eid, false);
      touched.clear();
      moving.clear();
      for (let i = 0; i < count; i++) moving.add(list[i]);
      upload();
    },
    tint(tints) {
      const wanted = tints.islands || tints.sleeping;
      if (!wanted && !tinted) return;
      tinted = wanted;
      for (const batch of batches) tintBatch(batch, session, tints);
    },
    dispose() {
      stopCollecting();
      for (const batch of batches) {
        stage.shadows.removeShadowCaster(batch.mesh);
        batch.mesh.dispose(false, false);
      }
    },
  };
}

/** Drops keys that are there but undefined, so that the kind is the only key. */
function plainShape(shape: ShapeFile): ShapeFile {
  const entry = Object.entries(shape).find(([, value]) => value !== undefined);
  return (entry ? { [entry[0]]: entry[1] } : shape) as ShapeFile;
}

/** Height of a shape's top if it serves as ground, else null. */
function groundTop(shape: ShapeFile, position: readonly number[]): number | null {
  if ('plane' in shape) {
    const [x, y, z] = shape.plane;
    return y > 0 && Math.hypot(x, z) < 1e-6 * y ? position[1] : null;
  }
  if ('box' in shape) {
    const [hx, hy, hz] = shape.box;
    return hx >= GROUND_SIZE && hz >= GROUND_SIZE ? position[1] + hy : null;
  }
  return null;
}

function mix(colors: Float32Array, at: number, color: readonly number[], share: number): void {
  for (let i = 0; i < 3; i++) colors[at + i] += (color[i] - colors[at + i]) * share;
}
