// The work of the sag-free lab, off the page's thread: solvers on a program, one after the
// other, and a tuft with its forces.

import { createWorld } from 'bitecs';
import { addGroom, createPhysics, enableSagFree, traceFigure } from '../../src/index';
import { CHANGES, type IterationRow, MOST_ITERATIONS, type Note, type Order } from './protocol';

const STRANDS = 48;
const POINTS = 24;

const tell = (note: Note) => postMessage(note);

self.onmessage = ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'colour') tell(colourTuft(data.change, data.stiffest));
  else solveAll(data);
};

function solveAll({ strand, change }: Order & { kind: 'solve' }): void {
  const clock = () => performance.now();
  traceFigure(strand, change, MOST_ITERATIONS, clock, (trace) => tell({ kind: 'trace', trace }));

  // Table I, of the solvers that end.
  const rows = new Map<string, (number | null)[]>();
  for (const each of CHANGES) {
    traceFigure(strand, each, MOST_ITERATIONS, clock, ({ solver, converged, iterations }) => {
      if (!/active-set|interior|, incomplete/.test(solver)) return;
      rows.set(solver, [...(rows.get(solver) ?? []), converged ? iterations : null]);
    });
  }
  tell({ kind: 'table', rows: [...rows].map(([solver, iterations]): IterationRow => ({ solver, iterations })) });
}

/** Curls from one spot to all sides [m]. */
function tuft(): { counts: number[]; positions: number[] } {
  const positions: number[] = [];
  for (let s = 0; s < STRANDS; s++) {
    const lean = -1.5 + (3 * s) / (STRANDS - 1);
    const length = 0.06 + 0.06 * (((s * 7) % 11) / 10);
    for (let i = 0; i < POINTS; i++) {
      const t = i / (POINTS - 1);
      const wave = 0.006 * t * Math.cos(9 * t + s);
      const out = 0.02 + length * t;
      positions.push(
        out * Math.sin(lean) + wave * Math.cos(lean),
        out * Math.cos(lean) - wave * Math.sin(lean) - 0.02 * t * t,
        0.006 * t * Math.sin(9 * t + s),
      );
    }
  }
  return { counts: new Array(STRANDS).fill(POINTS), positions };
}

function colourTuft(change: number, stiffest: number): Note {
  const physics = createPhysics(createWorld());
  const { report } = enableSagFree(physics);
  const strands = tuft();
  const groom = addGroom(physics, { strands, sagFree: { curvatureChange: change, stiffest, stabilise: false } });
  const left = new Array<number>(STRANDS).fill(0);
  for (const { strand, force } of report(groom).forceLeft) left[strand] = force;
  physics.dispose();
  return { kind: 'strands', ...strands, left };
}
