// The stages of a step, each a thin call into the engine, in THE order (schedule.ts).

import { findPairs } from '../src/collision/broadphase';
import { noteMotion } from '../src/collision/queries';
import { withTurnsFollowed } from '../src/dynamics/follow-turns';
import { foreseeContacts, stopBodies } from '../src/dynamics/foresee-contacts';
import { prepareContacts } from '../src/dynamics/prepare-contacts';
import { resistRolling } from '../src/dynamics/resist-rolling';
import { solveContacts } from '../src/dynamics/solve-contacts';
import * as L from '../src/state/layout';
import { copyIn, copyInLate } from './copy-in';
import { copyOut } from './copy-out';
import { emitEvents } from './emit-events';
import type { System } from './physics';
import { reportStep } from './report-step';
import type { StageName } from './stage-names';

export const stages: readonly (readonly [StageName, System])[] = [
  ['copy-in', copyIn],
  [
    'predict-motion',
    ({ physics }) => {
      copyInLate(physics);
      const { engine, modules } = physics.internal;
      for (const module of modules) module.prepare?.(physics);
      engine.kernels.predictMotion();
      for (const module of modules) module.predict?.(engine);
    },
  ],
  [
    'find-pairs',
    ({ physics }) => {
      const { tables, kernels, arena } = physics.internal.engine;
      findPairs(tables, kernels, arena);
    },
  ],
  [
    'find-contacts',
    ({ physics }) => {
      const { engine, modules } = physics.internal;
      engine.kernels.findContacts();
      foreseeContacts(engine);
      for (const module of modules) module.findContacts?.(engine);
    },
  ],
  [
    'modify-contacts',
    ({ physics }) => {
      const { engine, modification } = physics.internal;
      prepareContacts(engine, modification, 0, engine.arena.i32[L.ACTIVE_COUNT >> 2]);
    },
  ],
  [
    'build-islands',
    ({ physics }) => {
      const { engine, modification, modules } = physics.internal;
      const seen = engine.arena.i32[L.ACTIVE_COUNT >> 2];
      // Strands wake bodies, and bodies strands.
      for (let isMore = true; isMore; ) {
        const woken = engine.arena.i32[L.WAKE_COUNT >> 2];
        isMore = false;
        for (const module of modules) if (module.wake?.(engine)) isMore = true;
        engine.kernels.wakeTouched();
        if (modules.length > 0) isMore ||= engine.arena.i32[L.WAKE_COUNT >> 2] > woken;
      }
      // What woke brings its pairs along, at the end of the list.
      prepareContacts(engine, modification, seen, engine.arena.i32[L.ACTIVE_COUNT >> 2]);
      engine.kernels.buildIslands();
    },
  ],
  [
    'solve-contacts',
    ({ physics }) => {
      const { engine, modules } = physics.internal;
      resistRolling(engine);
      for (const module of modules) module.solve?.(engine);
      withTurnsFollowed(engine, solveContacts);
    },
  ],
  [
    'integrate-motion',
    ({ physics }) => {
      const { engine, modules, queries } = physics.internal;
      engine.kernels.integrateMotion();
      stopBodies(engine);
      engine.kernels.keepOutside();
      engine.kernels.carrySpins();
      for (const module of modules) module.integrate?.(engine);
      noteMotion(queries);
    },
  ],
  [
    'update-sleep',
    ({ physics }) => {
      const { engine, modules } = physics.internal;
      for (const module of modules) module.rest?.(engine);
      engine.kernels.updateSleep();
    },
  ],
  ['emit-events', emitEvents],
  [
    'copy-out',
    (step) => {
      copyOut(step);
      reportStep(step);
    },
  ],
];
