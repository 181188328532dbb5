// One process at a time compiles a module; one that died with the lock in its hand keeps nobody out.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alone } from '../../vite.config';

test('work under a lock is done by one after the other, also after one that has died', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alone-'));
  const lock = join(folder, 'lock');
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(lock, String(pid));
  let inside = 0;
  const seen: number[] = [];
  const work = async () => {
    inside++;
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(inside);
    inside--;
  };
  await Promise.all(Array.from({ length: 6 }, () => alone(lock, work)));
  expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
  // Nothing stays but the mark of the dead one's lock.
  const left = readdirSync(folder);
  expect(left).toHaveLength(1);
  expect(left[0]).toMatch(new RegExp(`^lock\\.dead-${pid}-`));

  const failing = () => Promise.reject(new Error('of the work'));
  await expect(alone(lock, failing)).rejects.toThrow('of the work');
  expect(await alone(lock, async () => 7)).toBe(7);
});
