// What the rigid bodies have to reach, beside what was measured. A target whose scene was not run is left out.

import { millimetres } from './tables.mjs';

const mm = (limit, value) => [`${millimetres(value)} mm`, value <= limit];
const drift = (row) => Math.max(row.driftHorizontal, row.driftVertical);

/** [scene or scan, what is asked, judge(row) -> [measured, reached], or null if it cannot be told] */
const TARGETS = [
  ['pyramid20', 'drift ≤ 12 mm', (row) => mm(12e-3, drift(row))],
  ['stack100', 'stands, sag and drift ≤ 0.1 mm', (row) => mm(1e-4, drift(row))],
  ['stack1000', 'stands, sag and drift ≤ 0.1 mm', (row) => mm(1e-4, drift(row))],
  ['cardhouse3', 'drift ≤ 0.1 mm', (row) => mm(1e-4, row.move)],
  ['arch-0.11', 'stands, drift ≤ 0.1 mm', (row) => mm(1e-4, row.move)],
  ['arch-0.095', 'falls', (row) => [row.stands ? 'stands' : 'falls', !row.stands]],
  ['arch-min', 'stands at 0.11 or thinner, falls at 0.095', judgeArch],
  ['stack-ratio', '≥ 1000', (row) => [String(row.value), row.value >= 1000]],
  ['tower-height', '≥ 60', (row) => [String(row.value), row.value >= 60]],
  ['slope-0.998', 'sticks, creep ≤ 0.01 mm/s', judgeCreep],
  ['slope-0.998-yaw45', 'sticks, creep ≤ 0.01 mm/s', judgeCreep],
  ['slope-1.002', 'slides within 1 % of analytic', judgeSlip],
  ['slope-1.002-yaw45', 'slides within 1 % of analytic', judgeSlip],
  // Symplectic Euler at 1/60 s stops after 0.9837 of the analytic distance by construction.
  ['slide', 'stops at ≥ 0.984 (rounded) of analytic', (row) => [row.slideMin.toFixed(4), row.slideMin >= 0.9835]],
  ['slide', 'headings equal within 0.1 %', judgeSpread],
  ['slide', 'off heading ≤ 0.05°', (row) => [`${row.slideDeviation.toFixed(4)}°`, row.slideDeviation <= 0.05]],
  ['pyramid10', 'median step ≤ Rapier (0.4 aimed at)', (row) => judgeRatio(row, 1)],
  ['pyramid20', 'median step ≤ Rapier (0.4 aimed at)', (row) => judgeRatio(row, 1)],
  ...['pyramid20', 'pyramid3d10', 'column100', 'wall500'].map((scene) => [
    scene,
    'settled: late motion ≤ 0.05 mm',
    (row) => mm(5e-5, row.late),
  ]),
  ...['stack1', 'stack100', 'cardhouse3', 'arch15'].flatMap((scene) => [
    [scene, 'median step ≤ 5 × Rapier (1 aimed at)', (row) => judgeRatio(row, 5)],
    [scene, 'no step over 1 ms', (row) => [`${row.worstMs.toFixed(2)} ms`, row.worstMs <= 1]],
  ]),
  ...['chain100-1000', 'bridge50-cars', 'ragdolls10', 'ragdolls10-hard'].map((scene) => [
    scene,
    'joints at most 0.1 mm open',
    (row) => mm(1e-4, row.gap),
  ]),
  ['bridge50-cars', 'median step ≤ 5 ms of the processor', (row) => [`${row.cpuMs.toFixed(2)} ms`, row.cpuMs <= 5]],
  ['ragdolls10', 'median step ≤ 1.5 × Rapier', (row) => judgeRatio({ ratio: row.cpuRatio }, 1.5)],
  ['sleeping10000', 'median step ≤ 0.2 ms', (row) => [`${row.medianMs.toFixed(3)} ms`, row.medianMs <= 0.2]],
];

function judgeArch({ value, trials }) {
  const thinnest = trials.find(({ parameter }) => parameter <= 0.095);
  return [String(value), value !== null && value <= 0.11 && !thinnest?.passed];
}

function judgeCreep({ creep }) {
  return [`${millimetres(creep)} mm/s`, Math.abs(creep) <= 1e-5];
}

function judgeSlip({ slid, slidExpected }) {
  const share = slid / slidExpected;
  return [share.toFixed(4), Math.abs(share - 1) <= 0.01];
}

function judgeSpread({ slideMin, slideMax }) {
  const spread = slideMax / slideMin - 1;
  return [`${(100 * spread).toFixed(4)} %`, spread <= 1e-3];
}

/** Null without Rapier beside us. */
function judgeRatio({ ratio }, limit) {
  return Number.isNaN(ratio) ? null : [ratio.toFixed(2), ratio <= limit];
}

/** { scene, asked, measured, reached } for every target of which `results` (scene -> engine -> row) has our row. */
export function judgeTargets(results, size) {
  const found = [];
  for (const [scene, asked, judge] of TARGETS) {
    const row = results[scene]?.stiction;
    if (!row) continue;
    const judged = row.error ? ['ERROR', false] : judge(row);
    if (judged) found.push({ scene, asked, measured: judged[0], reached: judged[1] });
  }
  if (size) {
    const kilobytes = size.gzip / 1000;
    found.push({
      scene: 'library',
      asked: '≤ 150 kB gzip',
      measured: `${kilobytes.toFixed(1)} kB`,
      reached: kilobytes <= 150,
    });
  }
  return found;
}

/** The same as rows of strings, the first being the head. */
export function targetTable(targets) {
  const body = targets.map(({ scene, asked, measured, reached }) => [scene, asked, measured, reached ? 'yes' : 'NO']);
  return [['scene', 'to reach', 'measured', 'reached'], ...body];
}
