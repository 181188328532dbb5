// The sheets of a session on the stage, from the packed columns of physics.

import type { Session } from '../app/session';
import type { DemoScene, ShellLook } from '../scenes/demo-scene';
import { PALETTE } from '../scenes/palette';
import { type Cloth, createCloth, createClothFinish } from './cloth';
import type { Stage } from './stage';

export interface ShellView {
  /** Vertices of the session's sheets. */
  readonly count: number;
  /** Makes the meshes follow what moved. */
  update(): void;
  dispose(): void;
}

const PLAIN: readonly string[] = [PALETTE.terracotta, PALETTE.sea, PALETTE.saffron, PALETTE.mint, PALETTE.plum];
/** Sheets of more vertices than this are fine enough as they are. */
const FINE = 6000;
/** Thinner is drawn this thick, or the sides would fight for the same pixels [m]. */
const THINNEST = 6e-4;

export function createShellView(stage: Stage, session: Session, demo: DemoScene | null, isHigh: boolean): ShellView {
  const { physics, shells } = session;
  const finish = createClothFinish(stage, isHigh);
  let made: { cloth: Cloth; entity: number }[] = [];
  let last = { version: -1, step: -1, alpha: -1 };

  const clear = () => {
    for (const { cloth } of made) cloth.dispose();
    made = [];
  };
  const build = () => {
    clear();
    let order = 0;
    const all = [...shells.values()].reduce((sum, { vertices }) => sum + vertices.length / 3, 0);
    for (const [name, shell] of shells) {
      const look = demo?.shells?.(name) ?? { finish: 'cloth', colors: [PLAIN[order % PLAIN.length]] };
      order++;
      const vertexCount = shell.vertices.length / 3;
      const shape = {
        vertexCount,
        triangles: shell.triangles,
        halfThickness: Math.max(look.thickness ?? shell.thickness, THINNEST) / 2,
        isFine: isHigh && look.finish !== 'paper' && all < FINE,
      };
      const cloth = createCloth(stage, name, shape, flatten(shell.rest, look), look, finish);
      made.push({ cloth, entity: shell.entity });
    }
  };

  return {
    get count() {
      return physics.shells.vertexCount;
    },
    update() {
      if (shells.size === 0) return;
      const { version, positions, normals } = physics.shells;
      const { stepCount, alpha } = physics;
      if (version === last.version && stepCount === last.step && alpha === last.alpha) return;
      if (version !== last.version) build();
      last = { version, step: stepCount, alpha };
      for (const { cloth, entity } of made)
        cloth.update(positions, normals, physics.components.Shell.firstVertex[entity]);
    },
    dispose() {
      clear();
      finish.dispose();
    },
  };
}

/** Where the vertices lie in the cloth laid flat: the rest shape without the axis along which it is flattest. */
function flatten(rest: ArrayLike<number>, look: ShellLook): Float64Array {
  const count = rest.length / 3;
  const uvs = new Float64Array(2 * count);
  if (look.flat) {
    for (let v = 0; v < count; v++) uvs.set(look.flat(v, count), 2 * v);
    return uvs;
  }
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < rest.length; k++) {
    low[k % 3] = Math.min(low[k % 3], rest[k]);
    high[k % 3] = Math.max(high[k % 3], rest[k]);
  }
  const size = high.map((value, k) => value - low[k]);
  const flattest = size.indexOf(Math.min(...size));
  const [a, b] = [0, 1, 2].filter((k) => k !== flattest);
  for (let v = 0; v < count; v++) {
    uvs[2 * v] = rest[3 * v + a] - low[a];
    uvs[2 * v + 1] = rest[3 * v + b] - low[b];
  }
  return uvs;
}
