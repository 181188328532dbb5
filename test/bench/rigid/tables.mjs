// Results as text: one table a scene or scan, aligned for a terminal or as Markdown.

import { SCANS } from './scenes.mjs';

const blank = (x) => x === undefined || x === null || Number.isNaN(x);
const fixed = (digits) => (x) => (blank(x) ? '-' : x.toFixed(digits));
const milliseconds = fixed(3);
const yes = (x) => (blank(x) ? '-' : x ? 'yes' : 'NO');

/** Metres as millimetres with three figures, so that 0.0031 mm and 496 mm both say something. */
export function millimetres(x) {
  if (blank(x)) return '-';
  const mm = x * 1e3;
  const digits = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(mm) || 1))));
  return Math.abs(mm) < 1e-6 ? '0' : mm.toFixed(digits);
}

const COLUMNS = [
  ['steps', (row) => String(row.steps)],
  ['median ms', (row) => milliseconds(row.medianMs)],
  ['p99', (row) => milliseconds(row.p99Ms)],
  ['worst', (row) => milliseconds(row.worstMs)],
  ['first', (row) => milliseconds(row.firstMs)],
  ['ratio', (row) => fixed(2)(row.ratio)],
  ['[min..max]', (row) => (blank(row.ratio) ? '-' : `[${fixed(2)(row.ratioMin)}..${fixed(2)(row.ratioMax)}]`)],
  ['CPU ms', (row) => milliseconds(row.cpuMs)],
  ['CPU ratio', (row) => fixed(2)(row.cpuRatio)],
  ['read ms', (row) => milliseconds(row.readMs)],
  ['pen peak mm', (row) => millimetres(row.penetrationPeak)],
  ['end', (row) => millimetres(row.penetrationEnd)],
  ['mean', (row) => millimetres(row.penetrationMean)],
  ['gap peak mm', (row) => millimetres(row.gap)],
  ['gap end', (row) => millimetres(row.gapEnd)],
  ['drift mm', (row) => millimetres(row.driftHorizontal)],
  ['sag mm', (row) => millimetres(row.driftVertical)],
  ['late mm', (row) => millimetres(row.late)],
  ['J/kg', (row) => (blank(row.energy) ? '-' : row.energy.toExponential(0))],
  ['stands', standing],
  ['repeats', (row) => yes(row.repeats)],
];

/** yes, drifts out (moved too far but did not come down) or FALLS; in brackets when falling is right. */
function standing(row) {
  if (row.stands === undefined) return '-';
  const word = row.stands ? 'yes' : row.driftVertical < 0.25 ? 'drifts out' : 'FALLS';
  return row.expectStand === false ? `(${word.toLowerCase()})` : word;
}

/** The analytic comparison of a scene, and the engine's own words. */
function remarks(row) {
  const found = [];
  if (row.slid !== undefined) {
    const share = row.slidExpected > 0 ? ` = ${(row.slid / row.slidExpected).toFixed(4)}` : '';
    found.push(`slid ${row.slid.toFixed(4)} of ${row.slidExpected.toFixed(4)} m${share}`);
    found.push(`creep ${millimetres(row.creep)} mm/s`);
  }
  if (row.slideMin !== undefined) {
    found.push(`stops at ${row.slideMin.toFixed(4)}..${row.slideMax.toFixed(4)} of v²/2µg`);
    found.push(`off heading ${row.slideDeviation.toFixed(4)}°`);
  }
  if (row.escaped !== undefined) found.push(`${row.escaped} escaped, top ${row.top.toFixed(1)} m`);
  if (row.note) found.push(row.note);
  return found.join('; ');
}

const brief = (error) => `ERROR ${error.replace(/\s+/g, ' ').slice(0, 140)}`;

function sceneRows(rows) {
  const used = COLUMNS.filter(([, show]) => Object.values(rows).some((row) => !row.error && show(row) !== '-'));
  const head = ['engine', ...used.map(([title]) => title), 'remarks'];
  const body = Object.entries(rows).map(([engine, row]) =>
    row.error
      ? [engine, ...used.map(() => ''), brief(row.error)]
      : [engine, ...used.map(([, show]) => show(row)), remarks(row)],
  );
  return [head, ...body];
}

function scanRows(name, rows) {
  const { title, exact } = SCANS[name];
  const head = ['engine', exact === undefined ? title : `${title} (exact ${exact})`, 'remarks'];
  const tell = (row) => {
    const last = row.trials.findLast((trial) => trial.passed);
    const first = row.trials.find((trial) => !trial.passed);
    const words = [];
    if (last)
      words.push(`at ${last.parameter} moved ${millimetres(last.move)} mm${last.note ? ` (${last.note})` : ''}`);
    if (first && first !== last) words.push(`at ${first.parameter} moved ${millimetres(first.move)} mm`);
    return words.join('; ');
  };
  const body = Object.entries(rows).map(([engine, row]) =>
    row.error ? [engine, '', brief(row.error)] : [engine, String(row.value ?? 'none tried'), tell(row)],
  );
  return [head, ...body];
}

/** Rows as text: first and last column to the left, numbers to the right; one blank line before the title. */
export function alignTable(title, table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const last = widths.length - 1;
  const lines = table.map((row) =>
    row
      .map((cell, i) => (i === 0 || i === last ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  );
  return `\n## ${title}\n${lines.join('\n')}\n`;
}

/** Rows as a Markdown table. */
export function markdownTable(title, [head, ...body]) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `\n## ${title}\n\n${[line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')}\n`;
}

/** Rows of strings of a scene or scan, the first being the head. */
export const tableOf = (name, rows) => (SCANS[name] ? scanRows(name, rows) : sceneRows(rows));
