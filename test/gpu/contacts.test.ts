// Contacts found on the device are those that the WebAssembly detection finds in the same world.

import { describe, expect } from 'vitest';
import { COUNTERS, type ContactRooms, OVERFLOW } from '../../src/gpu/tables/contact-buffers';
import * as L from '../../src/state/layout';
import { boxHull, type Quaternion, type Shape, turn, type Vector } from '../kernels/generic-scene';
import {
  createRandom,
  createStrandScene,
  putBody,
  randomDirection,
  type StrandScene,
  tangledStrands,
} from '../kernels/strand-scene';
import { compareLists, type GpuContact, type Tolerances, withDetection } from './contact-scene';
import { isLong } from './suite';
import { gpuTest, longGpuTest, withDevice } from './test-device';

/** Strand of `n` nodes from `start`, edges `edge`. */
function line(start: Vector, edge: Vector, n: number): Vector[] {
  return Array.from({ length: n }, (_, i) => start.map((x, k) => x + i * edge[k]) as Vector);
}

/** Gives all nodes random velocities up to `speed`, over a common one [m/s]. */
function stir(scene: StrandScene, speed: number, common: Vector = [0, 0, 0], seed = 3): void {
  const random = createRandom(seed);
  const count = scene.arena.i32[L.NODE_COUNT >> 2];
  for (let i = 0; i < count; i++) {
    const d = randomDirection(random);
    scene.setVelocities(i, [d.map((x, k) => common[k] + speed * x) as Vector]);
  }
}

/** Detects on both sides and compares; returns the device's rows. `length`: of an edge [m]. */
async function checkScene(
  scene: StrandScene,
  length: number,
  options: { continuous?: boolean } = {},
  tolerances: Tolerances = {},
): Promise<GpuContact[]> {
  const known = scene.detect(options);
  return withDevice((context) =>
    withDetection(context, scene, async ({ detect }) => {
      const { contacts } = await detect(options);
      compareLists(known, contacts, length, tolerances);
      return contacts;
    }),
  );
}

describe('strands with strands', () => {
  gpuTest('crossing hairs at rest', async () => {
    const scene = createStrandScene();
    scene.addRod(tangledStrands(120, 12, 0.005, 0.03, 7), { radius: 0.0005 });
    expect((await checkScene(scene, 0.005)).length).toBeGreaterThan(150);
  });

  gpuTest('crossing hairs that move, along their whole way and only where they are near', async () => {
    const scene = createStrandScene();
    scene.addRod(tangledStrands(120, 12, 0.005, 0.03, 8), { radius: 0.0003 });
    stir(scene, 0.1, [15, -4, 3]);
    expect((await checkScene(scene, 0.005)).filter(({ time }) => time > 0).length).toBeGreaterThan(50);
    // The CPU's boxes have more sides, and leave out pairs of which one strand closes the whole distance.
    await checkScene(scene, 0.005, { continuous: false }, { extra: 16 });
  });

  gpuTest('wisps of parallel hairs', async () => {
    const scene = createStrandScene();
    const random = createRandom(4);
    const hairs = Array.from({ length: 60 }, () => {
      const [x, z] = [0.002 * random(), 0.002 * random()];
      return line([x, 0.01 * random(), z], [0.0002 * (random() - 0.5), 0.004, 0.0002 * (random() - 0.5)], 16);
    });
    scene.addRod(hairs, { radius: 0.0001 });
    // Along near-parallel hairs the place is softer than anything else.
    const soft = { place: 0.05, normal: 0.01 };
    expect((await checkScene(scene, 0.004, {}, soft)).length).toBeGreaterThan(500);
  });

  gpuTest('a strand with itself, but not with its neighbours along the strand', async () => {
    const scene = createStrandScene();
    const coil = Array.from({ length: 80 }, (_, i): Vector => {
      const a = 0.35 * i;
      return [0.01 * Math.cos(a), 0.0011 * (a / 6.283), 0.01 * Math.sin(a)];
    });
    scene.addRod([coil], { radius: 0.0005 });
    const contacts = await checkScene(scene, 0.0035);
    expect(contacts.length).toBeGreaterThan(30);
    const still = createStrandScene();
    still.addRod([coil], { radius: 0.0005, selfContact: false });
    expect(await checkScene(still, 0.0035)).toEqual([]);
  });

  gpuTest('hair beside rope, far from the origin', async () => {
    const scene = createStrandScene();
    const away: Vector = [7000, -300, 400];
    const move = (lines: Vector[][]) => lines.map((nodes) => nodes.map((p) => p.map((x, k) => x + away[k]) as Vector));
    scene.addRod(move(tangledStrands(60, 16, 0.004, 0.2, 5)), { radius: 0.00005 });
    scene.addRod(move([line([-0.3, 0, 0], [0.1, 0.01, 0], 7), line([0, -0.3, 0.02], [0, 0.1, 0], 7)]), {
      radius: 0.03,
    });
    scene.addRod(move(tangledStrands(20, 16, 0.02, 0.2, 6)), { radius: 0.002 });
    stir(scene, 0.05, [1, 2, 3]);
    expect((await checkScene(scene, 0.004)).length).toBeGreaterThan(80);
  });

  gpuTest('hairs that meet at 20 m/s do not tunnel, and strands that fly together do not meet', async () => {
    const scene = createStrandScene();
    const random = createRandom(9);
    const hairs: Vector[][] = [];
    for (let k = 0; k < 24; k++) {
      const y = 0.01 * k;
      hairs.push(line([-0.02, y, 0.15 + 0.1 * random()], [0.005, 0.0003 * random(), 0.001], 9));
      hairs.push(line([0.001 * random(), y - 0.02, 0], [0.0004, 0.005, 0.0004], 9));
    }
    scene.addRod(hairs, { radius: 0.00005 });
    for (let k = 0; k < 48; k += 2) {
      scene.setVelocities(
        9 * k,
        Array.from({ length: 9 }, (): Vector => [0, 0, -20]),
      );
    }
    const contacts = await checkScene(scene, 0.005, {}, { missing: 1, gap: 0.01 });
    const met = new Set(contacts.filter(({ time }) => time > 0).map(({ nodes }) => Math.floor(nodes[0] / 9)));
    expect(met.size).toBeGreaterThanOrEqual(24);
  });

  gpuTest('layers, clamped edges, quarantined strands', async () => {
    const scene = createStrandScene();
    const cross = (y: number): Vector[][] => [
      line([-0.01, y, 0], [0.02, 0, 0], 2),
      line([0, y, -0.01], [0, 0, 0.02], 2),
    ];
    scene.addRod(cross(0), { radius: 0.001, layers: 0x00020001 });
    scene.addRod(cross(0.0005), { radius: 0.001, layers: 0x00010002 });
    scene.addRod(cross(0.001), { radius: 0.001, layers: 0x00040004, selfContact: false });
    expect((await checkScene(scene, 0.02)).length).toBeGreaterThan(2);
    const { flags } = scene.tables.strands;
    flags[0] = flags[2] = L.STRAND_CLAMP_START;
    flags[1] = L.STRAND_QUARANTINED;
    const some = await checkScene(scene, 0.02);
    expect(some.length).toBeGreaterThan(0);
    expect(some.every(({ nodes }) => nodes[0] !== 2 && nodes[2] !== 2)).toBe(true);
  });
});

/** Hairs of 5 mm edges over, beside and through a place, some moving. */
function hairsAbout(scene: StrandScene, reach: number, seed: number, clamped = false): void {
  const random = createRandom(seed);
  const hairs = Array.from({ length: 60 }, () => {
    const out = randomDirection(random);
    const along = randomDirection(random);
    const start = out.map((x, k) => reach * (0.7 + 0.5 * random()) * x - 0.025 * along[k]) as Vector;
    return line(start, along.map((x) => 0.005 * x) as Vector, 11);
  });
  const strand = scene.arena.i32[L.STRAND_COUNT >> 2];
  scene.addRod(hairs, { radius: 0.0002, selfContact: false, cohesion: 1e-4, friction: 0.4 });
  for (let k = 0; clamped && k < 20; k++) scene.tables.strands.flags[strand + k] = L.STRAND_CLAMP_START;
}

/** A sphere of triangles: corners of a subdivided octahedron. */
function ball(radius: number, steps: number): Shape {
  const vertices: number[] = [];
  const triangles: number[] = [];
  const seen = new Map<string, number>();
  const corner = (p: number[]): number => {
    const key = p.join();
    const known = seen.get(key);
    if (known !== undefined) return known;
    const length = Math.hypot(...p);
    vertices.push(...p.map((x) => (radius * x) / length));
    seen.set(key, vertices.length / 3 - 1);
    return vertices.length / 3 - 1;
  };
  for (let o = 0; o < 8; o++) {
    const sign = [o & 1 ? -1 : 1, o & 2 ? -1 : 1, o & 4 ? -1 : 1];
    const flip = sign[0] * sign[1] * sign[2] < 0;
    const at = (i: number, j: number) => corner([sign[0] * i, sign[1] * j, sign[2] * (steps - i - j)]);
    const add = (a: number, b: number, c: number) => triangles.push(...(flip ? [a, c, b] : [a, b, c]));
    for (let i = 0; i < steps; i++) {
      for (let j = 0; j < steps - i; j++) {
        add(at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j < steps - 1) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  }
  return { kind: 'mesh', vertices, triangles };
}

describe('strands with bodies', () => {
  const tilt: Quaternion = turn([0.6, 0, 0.8], 0.7);
  const shapes: [string, Shape][] = [
    ['sphere', { kind: 'sphere', size: [0.1] }],
    ['capsule', { kind: 'capsule', size: [0.05, 0.05] }],
    ['box', { kind: 'box', size: [0.08, 0.06, 0.1] }],
    ['plane', { kind: 'plane', size: [0, 1, 0] }],
    ['cylinder', { kind: 'cylinder', size: [0.08, 0.06] }],
    ['cone', { kind: 'cone', size: [0.1, 0.08] }],
    ['hull', boxHull(0.08, 0.06, 0.1)],
  ];
  // Round, flat without an end, and of faces in `npm test`.
  const quick = ['sphere', 'plane', 'hull'];
  for (const [name, shape] of shapes) {
    (quick.includes(name) ? gpuTest : longGpuTest)(`hair on a ${name}, at rest and flying past at 20 m/s`, async () => {
      const scene = createStrandScene();
      hairsAbout(scene, 0.1, 11, true);
      putBody(scene, shape, [0.01, -0.005, 0.002], tilt);
      // Where an edge is about as low all along, its lowest place is soft.
      const soft = { missing: 2, turned: 6, place: 0.05, normal: 0.02 };
      expect((await checkScene(scene, 0.005, {}, soft)).length).toBeGreaterThan(40);
      stir(scene, 0.5, [12, -14, 8]);
      const moving = await checkScene(scene, 0.005, {}, { ...soft, missing: 4, gap: 0.01 });
      expect(moving.filter(({ time }) => time > 0).length).toBeGreaterThan(40);
      await checkScene(scene, 0.005, { continuous: false }, soft);
    });
  }

  gpuTest('a turning, flying dynamic body, and a conveyor', async () => {
    const scene = createStrandScene();
    hairsAbout(scene, 0.1, 12);
    const body = putBody(scene, { kind: 'box', size: [0.08, 0.06, 0.1] }, [0, 0, 0], tilt, L.BODY_DYNAMIC);
    const belt = putBody(
      scene,
      { kind: 'sphere', size: [0.06] },
      [0.12, 0, 0],
      tilt,
      L.BODY_KINEMATIC | L.BODY_SURFACE,
    );
    const { bodies } = scene.tables;
    bodies.inverseMass[body] = 2;
    bodies.linearVelocity.set([3, -1, 2], 4 * body);
    bodies.angularVelocity.set([5, 9, -4], 4 * body);
    bodies.motion.set([3, -1, 2, 0, 5, 9, -4], 8 * body);
    bodies.surfaceVelocity.set([0, 2, 0], 4 * belt);
    bodies.angularVelocity.set([0, 1, 0], 4 * belt);
    bodies.motion.set([0, 1, 0], 8 * belt + 4);
    stir(scene, 0.2);
    const contacts = await checkScene(
      scene,
      0.005,
      {},
      { missing: 3, turned: 6, place: 0.05, normal: 0.02, gap: 2e-3 },
    );
    expect(contacts.some((c) => c.mover === 0 && c.body === body)).toBe(true);
    expect(contacts.some((c) => c.mover === -1 && Math.hypot(...c.drift) > 0.5)).toBe(true);
  });

  gpuTest('friction follows the rule of the body, with each rule', async () => {
    const scene = createStrandScene();
    scene.addRod([line([-0.25, 0, 0], [0.01, 0, 0], 61)], { radius: 0.001, friction: 0.3 });
    const rules = [0, L.RULE_GEOMETRIC_MEAN, L.RULE_AVERAGE, L.RULE_MINIMUM, L.RULE_MULTIPLY, L.RULE_MAXIMUM];
    for (const rule of rules) {
      const collider = putBody(scene, { kind: 'box', size: [0.03, 0.01, 0.03] }, [0.08 * rule - 0.2, -0.011, 0]);
      scene.tables.colliders.material[2 * collider] = 0.8;
      // The rule for restitution lies beside and is another.
      const bits = (rule << L.COLLIDER_FRICTION_RULE) | (L.RULE_AVERAGE << L.COLLIDER_RESTITUTION_RULE);
      scene.tables.colliders.flags[collider] |= bits;
    }
    const contacts = await checkScene(scene, 0.01);
    const byRule = rules.map((rule) => contacts.find(({ collider }) => collider === rule)?.friction);
    expect(byRule.map((mu) => mu?.toFixed(4))).toEqual(['0.4899', '0.4899', '0.5500', '0.3000', '0.2400', '0.8000']);
  });

  gpuTest('nodes of hair on a mesh, at rest and flying past', async () => {
    const scene = createStrandScene();
    hairsAbout(scene, 0.1, 13);
    putBody(scene, ball(0.1, 8), [0.01, 0, 0], tilt);
    await withDevice((context) =>
      withDetection(context, scene, async ({ detect }) => {
        for (const speed of [0, 0.5]) {
          stir(scene, speed, [12 * speed, -9 * speed, 0]);
          // Second contacts of a node in a corner, and of an edge, are the CPU's alone.
          const [known, found] = [scene.detect(), (await detect()).contacts].map((list) =>
            list.filter(({ key }) => (key[1] & 7) < 2),
          );
          expect(found.length).toBeGreaterThan(25);
          compareLists(known, found as GpuContact[], 0.005, {
            missing: 3,
            turned: 2,
            place: 0.01,
            gap: 0.01,
            normal: 0.02,
          });
        }
      }),
    );
  });

  gpuTest('nothing tunnels through a mesh or hull at 20 m/s', async () => {
    for (const shape of [boxHull(0.08, 0.06, 0.1), ball(0.1, 8)]) {
      const scene = createStrandScene();
      const hairs = Array.from({ length: 20 }, (_, k) => line([-0.02, 0.25, -0.03 + 0.003 * k], [0.01, 0.0005, 0], 5));
      const first = scene.addRod(hairs, { radius: 0.00005, selfContact: false });
      scene.setVelocities(
        first,
        Array.from({ length: 100 }, (): Vector => [0, -20, 0]),
      );
      putBody(scene, shape);
      const met = await withDevice((context) =>
        withDetection(context, scene, async ({ detect }) => (await detect()).contacts),
      );
      const nodes = new Set(met.map(({ nodes, weights }) => (weights[1] === 1 ? nodes[1] : nodes[0])));
      expect(nodes.size).toBe(100);
      expect(met.every(({ time, normal }) => time > 0.3 && time < 1 && normal[1] > 0.8)).toBe(true);
    }
  });

  gpuTest('nodes buried in the body that a clamp follows are left alone', async () => {
    const scene = createStrandScene();
    const hairs = Array.from({ length: 20 }, (_, k) => line([0.08, 0.002 * k, 0], [0.005, 0, 0], 12));
    scene.addRod(hairs, { radius: 0.0002, selfContact: false });
    const body = putBody(scene, { kind: 'sphere', size: [0.1] }, [0, 0, 0], undefined, L.BODY_KINEMATIC);
    scene.tables.strands.flags.fill(L.STRAND_CLAMP_START, 0, 20);
    for (let s = 0; s < 20; s++) scene.tables.strands.attach.set([body, -1], 2 * s);
    putBody(scene, { kind: 'box', size: [0.01, 1, 1] }, [0.12, 0, 0]);
    const free = scene.detect();
    expect(free.every(({ collider }) => collider !== body)).toBe(true);
    // Counted for the device, not by the CPU's detection.
    for (let s = 0; s < 20; s++) scene.tables.strands.clamp[24 * s + 9] = 0;
    scene.bury();
    const contacts = await checkScene(scene, 0.005, {}, { missing: 2, place: 0.05 });
    expect(contacts.length).toBeGreaterThan(40);
  });
});

describe('from list to list', () => {
  /** A mat of crossing hairs on a box. */
  function mat(): StrandScene {
    const scene = createStrandScene();
    const hairs = Array.from({ length: 12 }, (_, k) => [
      line([-0.02, 0.0002, 0.003 * k - 0.017], [0.005, 0, 0.0002], 9),
      line([0.003 * k - 0.017, 0.00062, -0.02], [0.0002, 0, 0.005], 9),
    ]).flat();
    scene.addRod(hairs, { radius: 0.0002 });
    putBody(scene, { kind: 'box', size: [1, 1, 1] }, [0, -1, 0]);
    return scene;
  }

  gpuTest('forces and colours go over to the same feature, or to a neighbouring edge', async () => {
    const scene = mat();
    await withDevice((context) =>
      withDetection(context, scene, async ({ detect, write }) => {
        const known = scene.detect();
        const { contacts } = await detect();
        compareLists(known, contacts, 0.005, { place: 0.05 });
        const { force } = scene.tables.nodeContacts;
        contacts.forEach((c, row) => {
          const data = [row + 1, c.normal[1], 0, 0];
          write(row, 12, data);
          force.set(data, 4 * known.findIndex(({ key }) => key.join() === c.key.join()));
        });
        // Everything slides by half an edge over everything else: many contacts move on to the next edge.
        for (let k = 0; k < 24; k += 2) {
          const at = scene.tables.nodes.position.subarray(36 * k, 36 * k + 36);
          for (let i = 0; i < 36; i += 4) at[i] += 0.0026;
        }
        const then = new Map(scene.detect().map((c) => [c.key.join(':'), c]));
        const now = (await detect({ keep: true })).contacts;
        expect(now.length).toBe(then.size);
        const kept = now.filter(({ source }) => source >= 0);
        expect(kept.length).toBeGreaterThan(0.8 * now.length);
        const same = now.filter((c) => Math.abs(c.force[0] - (then.get(c.key.join(':'))?.force[0] ?? -1)) < 1e-6);
        // Rows that two contacts could go on from may be given otherwise than in turn.
        expect(same.length).toBeGreaterThan(0.95 * now.length);
        for (const c of kept) expect(c.force[0]).toBe(c.source + 1);
        expect(new Set(kept.map(({ source }) => source)).size).toBe(kept.length);
      }),
    );
  });

  gpuTest('a further look keeps all rows, and adds what the new velocities bring', async () => {
    const scene = createStrandScene();
    scene.addRod(tangledStrands(100, 10, 0.005, 0.03, 21), { radius: 0.0003 });
    putBody(scene, { kind: 'sphere', size: [0.012] });
    await withDevice((context) =>
      withDetection(context, scene, async ({ detect, write }) => {
        // Room for what comes later.
        stir(scene, 0.4, [0, 0, 0], 77);
        await detect();
        stir(scene, 0.05);
        scene.detect();
        const first = (await detect()).contacts;
        first.forEach((_, row) => {
          write(row, 12, [row, 1, 2, 3]);
        });
        stir(scene, 0.4, [0, 0, 0], 77);
        const known = scene.detect({ append: true });
        const { contacts } = await detect({ look: 1, keep: true });
        compareLists(known, contacts, 0.005, { missing: 3, place: 0.02, normal: 0.02, gap: 1e-3 });
        expect(contacts.length).toBeGreaterThan(first.length + 20);
        const kept = contacts.filter(({ source }) => source >= 0);
        expect(kept.map(({ source }) => source)).toEqual(first.map((_, row) => row));
        expect(kept.map(({ force }) => force[0])).toEqual(first.map((_, row) => row));
        expect(kept.map(({ key }) => key)).toEqual(first.map(({ key }) => key));
        const sorted = contacts.map(({ key }) => key[0] * 2 ** 32 + key[1]);
        expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
      }),
    );
  });

  gpuTest('two detections are equal bit for bit', async () => {
    const scene = createStrandScene();
    // Several workgroups of each kernel, in either suite.
    scene.addRod(tangledStrands(isLong ? 150 : 70, 12, 0.005, 0.03, 31), { radius: 0.0004 });
    putBody(scene, { kind: 'capsule', size: [0.01, 0.01] });
    stir(scene, 0.3);
    await withDevice(async (context) => {
      const runs: Uint32Array[] = [];
      for (let k = 0; k < 2; k++) {
        await withDetection(context, scene, async ({ detect }) => {
          await detect();
          runs.push((await detect({ look: 1, keep: true })).words);
        });
      }
      expect(runs[0].length).toBeGreaterThan(isLong ? 3200 : 1000);
      expect(runs[0]).toEqual(runs[1]);
    });
  });

  longGpuTest('what has no room is flagged and left out, and there after growth', async () => {
    const scene = createStrandScene();
    scene.addRod(tangledStrands(200, 12, 0.005, 0.03, 41), { radius: 0.0008 });
    for (let k = 0; k < 12; k++) putBody(scene, { kind: 'sphere', size: [0.02] }, [0.0003 * k, 0, 0]);
    const known = scene.detect();
    await withDevice((context) =>
      withDetection(context, scene, async ({ detect, again, contacts }) => {
        await detect();
        const names = Object.keys(OVERFLOW) as (keyof ContactRooms)[];
        for (const name of names) {
          Object.assign(contacts.buffers.rooms, { [name]: 3 });
          const some = await again();
          expect(some.counters[COUNTERS.flags]).toBe(OVERFLOW[name]);
          expect(some.contacts.length).toBeLessThan(known.length);
          if (name === 'contacts') expect(some.contacts.length).toBe(3);
          expect(contacts.grow(some.counters)).toEqual([name]);
          expect(contacts.buffers.rooms[name]).toBeGreaterThan(10);
        }
        const all = await detect();
        compareLists(known, all.contacts, 0.005, { missing: 4, turned: 4, place: 0.1, normal: 0.05, gap: 1e-3 });
        expect(all.counters[COUNTERS.flags]).toBe(0);
      }),
    );
  });
});
