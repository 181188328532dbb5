// Runs before the tests (`npm test`): makes sure that there is a browser where that can be done without asking, that
// is as root on Debian and its kin. Elsewhere it says in one line what is missing; with CI=true that is a failure.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { findBrowser, missingBrowser } from './find-browser.mjs';

function install() {
  const debian = process.platform === 'linux' && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
  if (!debian || process.getuid?.() !== 0 || process.env.CHROMIUM_PATH) return;
  console.log('browser tests: installing chromium (apt-get)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  run('update');
  run('install', '-y', '--no-install-recommends', 'chromium');
}

if (!findBrowser()) install();
if (!findBrowser()) {
  const required = process.env.CI === 'true';
  console.log(`${missingBrowser()}${required ? '' : ' (skipped)'}`);
  if (required) process.exitCode = 1;
}
