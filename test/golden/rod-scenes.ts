// Every scene with rods that the project has: the gallery's, those of the conformance suite, those of the validation.
// On `wasm`, with the settings of their own.

import './same-trigonometry';
import { createWorld } from 'bitecs';
import { loadScene, openSession } from '../../demos/app/open-session';
import { belt } from '../../demos/scenes/belt';
import { type DemoScene, usualValues } from '../../demos/scenes/demo-scene';
import { SCENES } from '../../demos/scenes/index';
import { createHairyBall } from '../../src/bench/rods-worlds';
import { addScene, createPhysics, type Physics, readScene } from '../../src/index';
import { jointSuite, type RodBackend, rodSuite } from '../conformance/rod-suite';
import { addCapstan, capstanRatio } from '../validation/capstan';
import { dropPile } from '../validation/pile';
import { addPushedRod } from '../validation/pushed-rod';
import elastica from '../validation/rods/elastica.json';
import heavy from '../validation/rods/heavy-elastica.json';
import helix from '../validation/rods/helix.json';
import { helixPoints, ringShape, straight } from '../validation/rods/shapes';
import { addCantilever, addChain, addHeldRod, BEND, LENGTH, STRETCH } from '../validation/rods/statics-scenes';
import twist from '../validation/rods/twist.json';
import { addBody, createRodWorld, loadNode, type RodWorld } from '../validation/strand-worlds';

/** A world that is stepped, with what drives it before each step. */
export interface GoldenRun {
  readonly physics: Physics;
  /** Steps it by one. */
  step(): void;
}

export interface GoldenScene {
  readonly name: string;
  start(): GoldenRun;
}

const isOfRods = (demo: DemoScene) => {
  const { rods, grooms } = demo.build(demo.amount?.tested);
  return (rods?.length ?? 0) + (grooms?.length ?? 0) > 0;
};

/** As the gallery runs it, with as many strands as its test has. */
function startDemo(demo: DemoScene): GoldenRun {
  const amount = demo.amount?.tested;
  const values = usualValues(demo);
  const session = openSession(loadScene(demo.build(amount, values)), {}, demo.files?.(amount, values), demo.join);
  const tuner = session.tuner();
  const { physics } = session;
  const step = () => {
    demo.drive?.(physics.stepCount * physics.settings.timeStep, values, tuner);
    physics.step();
  };
  return { physics, step };
}

const stepped = (world: RodWorld, before: (step: number) => void = () => {}): GoldenRun => {
  const begin = world.physics.stepCount;
  const step = () => {
    before(world.physics.stepCount - begin);
    world.physics.step();
  };
  return { physics: world.physics, step };
};

/** Scenes that one function fills, in a world of their own. */
function validation(): GoldenScene[] {
  const scenes: GoldenScene[] = [];
  const add = (name: string, start: () => GoldenRun) => scenes.push({ name: `validation: ${name}`, start });
  const world = (settings: Parameters<typeof createRodWorld>[0] = {}) =>
    createRodWorld({ ...settings, elastic: { backend: 'wasm', ...settings.elastic } });

  // Statics: cantilevers, chains, held rods.
  for (const { Gamma } of heavy.rows.filter((row) => [1, 10, 100].includes(row.Gamma)))
    for (const nodes of [16, 64])
      add(`heavy elastica, Γ = ${Gamma}, ${nodes} nodes`, () => {
        const rods = world();
        addCantilever(rods, nodes, { weight: Gamma });
        return stepped(rods);
      });
  for (const { alpha } of elastica.tipLoad.rows.filter((_, k) => k % 3 === 0))
    add(`tip load, α = ${alpha}`, () => {
      const rods = world();
      addCantilever(rods, 32);
      return stepped(rods, () => loadNode(rods, 31, [0, (-alpha * BEND) / LENGTH ** 2, 0]));
    });
  for (const span of [0.5, 0.8])
    add(`a chain over a span of ${span}`, () => {
      const rods = world();
      const chain = addChain(rods, span);
      return stepped(rods, () => chain.hold());
    });
  add('a ring twisted beyond its critical twist', () => {
    const rods = world();
    const row = twist.michellRing.rows[0];
    const rod = {
      scale: LENGTH / (2 * Math.PI),
      torsion: row.C,
      twist: (edge: number) => (1.02 * row.michell_2pi_sqrt3_B_over_C * edge) / 62,
    };
    const middle = addHeldRod(rods, { ...ringShape(64), ...rod }) + 16;
    return stepped(rods, (k) => k < 60 && loadNode(rods, middle, [0, 0, (1e-3 * BEND) / LENGTH ** 2]));
  });
  add('a straight rod twisted under tension', () => {
    const rods = world();
    const row = twist.twistedRod.rows[0];
    const edge = 1 / 62;
    const strain = (row.tension_TL2_over_B * BEND) / LENGTH ** 2 / STRETCH;
    const shape = { points: straight(64, edge), rest: straight(64, edge / (1 + strain)), scale: LENGTH, torsion: 0.75 };
    const turn = ((1.02 * row.critical_ML_over_B) / 0.75) * edge;
    const middle = addHeldRod(rods, { ...shape, twist: (k) => turn * k }) + 16;
    return stepped(rods, (k) => k < 60 && loadNode(rods, middle, [0, 0, (1e-3 * BEND) / LENGTH ** 2]));
  });
  for (const [k, e] of helix.loadedHelix.examples.entries())
    add(`helix ${k + 1}, drawn out to ${e.pitch_angle_deg}°`, () => {
      const rods = world();
      const arc = (2 * Math.PI) / 31;
      addHeldRod(rods, {
        points: helixPoints(32, arc, e.kappa, e.tau),
        rest: helixPoints(32, arc, e.k0, e.tau0),
        scale: LENGTH / (2 * Math.PI),
        torsion: e.C / e.B,
        twist: (edge) => (e.tau - e.tau0) * arc * edge,
        turned: true,
      });
      return stepped(rods);
    });

  // Friction: capstans, a pushed rod, the belt; piles and a ball of hair.
  for (const [mu, wrap, corners, load, share] of [
    [0.3, Math.PI, 32, 0.2, 0.98],
    [0.3, 2 * Math.PI, 48, 100, 0.95],
    [0.3, 2 * Math.PI, 24, 100, 1.05],
  ] as const)
    add(`capstan, ${corners} corners, ${load} N, ${share} of its limit`, () => {
      const rods = world({ gravity: [0, 0, 0] });
      const ratio = share * capstanRatio(mu, wrap, corners);
      const rope = addCapstan(rods, { mu, wrap, corners, load, ratio });
      return stepped(rods, (k) => rope.pull(k));
    });
  add('a rod pushed against the ground', () => {
    const rods = world({ gravity: [0, 0, 0], elastic: { iterations: 100, tolerance: 1e-8, newtonIterations: 2 } });
    addBody(rods, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 1 });
    const rod = addPushedRod(rods, 24, 0.15, 0.19);
    return stepped(rods, (k) => rod.push(k));
  });
  add('belt, 240 steps a second', () => {
    const physics = createPhysics(createWorld(), { timeStep: 1 / 240, elastic: { backend: 'wasm' } });
    addScene(physics, readScene({ ...belt.build(1), timeStep: 1 / 240 }));
    return { physics, step: () => physics.step() };
  });
  for (const iterations of [1, 25])
    add(`a pile, ${iterations} iterations`, () => stepped(dropPile('wasm', iterations)));
  for (const nodes of [12, 24])
    add(`a shaken ball of 100 strands of ${nodes} nodes`, () => {
      const ball = createHairyBall(100, nodes, 'wasm');
      return { physics: ball.physics, step: () => ball.advance() };
    });
  return scenes;
}

export const GOLDEN_SCENES: readonly GoldenScene[] = [
  ...SCENES.filter(isOfRods).map((demo) => ({ name: `demo: ${demo.id}`, start: () => startDemo(demo) })),
  ...validation(),
];

/** A check of the conformance suite, which makes its worlds and steps them by itself. */
export interface GoldenSuite {
  readonly name: string;
  /** Runs it; `made` gets each of its worlds, `stepped` is called after each of their steps. */
  run(made: (world: RodWorld) => void, stepped: (world: RodWorld) => void): Promise<void>;
}

/** All of them on `wasm`. */
export function conformance(): GoldenSuite[] {
  const suites: GoldenSuite[] = [];
  let made: (world: RodWorld) => void = () => {};
  let stepped: (world: RodWorld) => void = () => {};
  const backend: RodBackend = {
    test: (name, work) => {
      suites.push({
        name: `conformance: ${name}`,
        run: (whenMade, whenStepped) => {
          made = whenMade;
          stepped = whenStepped;
          return work();
        },
      });
    },
    createWorld: (settings = {}) => {
      const world = createRodWorld({ ...settings, elastic: { ...settings.elastic, backend: 'wasm' } });
      made(world);
      return world;
    },
    steps: (world, count) => {
      for (let i = 0; i < count; i++) {
        world.physics.step();
        stepped(world);
      }
    },
    written() {},
    hasWholeSnapshot: true,
    exact: { force: 4, momentum: 5, rest: 1e-6 },
  };
  jointSuite(backend);
  rodSuite(backend);
  return suites;
}
