// Runs jobs in child processes and gathers their rows. Rounds are the outer loop and engines the inner one, so that a
// busy machine hits every engine alike; ratios are taken inside a round and only then their median.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { REFERENCE } from './adapters/index.mjs';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/** Median of the finite ones among the values; NaN when there is none. */
export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The row that a child answers with, or { error }. A child that hangs is ended after twice the cap and two minutes. */
function runJob(job) {
  return new Promise((resolve) => {
    const child = fork(CHILD, [JSON.stringify(job)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
    let row;
    let complaint = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), (job.cap * 2 + 120) * 1000);
    child.stderr.on('data', (text) => {
      complaint = (complaint + text).slice(-600);
    });
    child.on('message', (message) => {
      row = message;
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve(row ?? { error: `ended with ${signal ?? `status ${code}`} ${complaint.trim()}` });
    });
  });
}

/**
 * Rows by engine of one scene or scan. `options`: engines, rounds, cap [s], steps, sleep, library; `progress(text)` is
 * told what runs. Quality is measured in the first round only, times in all.
 */
export async function runRounds(name, options, progress) {
  const { engines, rounds, cap, steps, sleep, library } = options;
  const rows = new Map(engines.map((engine) => [engine, []]));
  for (let round = 0; round < rounds; round++) {
    for (const engine of engines) {
      progress(`${name}  round ${round + 1}/${rounds}  ${engine}`);
      const job = { engine, scene: name, cap, steps, sleep, library, quality: round === 0 };
      rows.get(engine).push(await runJob(job));
    }
  }
  return Object.fromEntries(engines.map((engine) => [engine, mergeRounds(rows.get(engine), rows.get(REFERENCE))]));
}

/**
 * Longest step [ms], each step taken at its fastest round: the rounds do the same work, so that a pause which the
 * machine put into one of them does not count.
 */
export function longestStep(rounds) {
  const count = Math.min(...rounds.map((times) => times.length));
  let longest = 0;
  for (let i = 0; i < count; i++) longest = Math.max(longest, Math.min(...rounds.map((times) => times[i])));
  return longest;
}

/** One row out of an engine's rounds: the first round's quality, medians of times, paired ratios. */
function mergeRounds(rows, reference) {
  const failed = rows.find((row) => row.error);
  if (failed) return { error: failed.error };
  if (rows[0].trials) return rows[0];
  const middle = (key) => median(rows.map((row) => row[key]));
  const ratios = rows.map((row, round) => row.medianMs / (reference?.[round]?.medianMs ?? Number.NaN));
  const complete = rows.filter((row) => row.steps === rows[0].steps);
  return {
    ...rows[0],
    medianMs: middle('medianMs'),
    p99Ms: middle('p99Ms'),
    worstMs: longestStep(rows.map((row) => row.times)),
    times: undefined,
    firstMs: middle('firstMs'),
    meanMs: middle('meanMs'),
    lateMedianMs: middle('lateMedianMs'),
    readMs: middle('readMs'),
    initMs: middle('initMs'),
    cpuMs: middle('cpuMs'),
    cpuRatio: median(rows.map((row, round) => row.cpuMs / (reference?.[round]?.cpuMs ?? Number.NaN))),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    repeats: complete.length > 1 ? complete.every((row) => row.hash === complete[0].hash) : undefined,
    medians: rows.map((row) => row.medianMs),
  };
}
