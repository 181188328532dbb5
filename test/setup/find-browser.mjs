// Finds a Chrome or Chromium to run the browser tests with. Plain JavaScript: it runs before anything is built.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome'];

const windows = process.platform === 'win32';

function runs(path) {
  try {
    accessSync(path, windows ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Places outside the PATH where installers put it. */
function usualPlaces() {
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Google Chrome for Testing'];
    const roots = ['/Applications', join(process.env.HOME ?? '', 'Applications')];
    return roots.flatMap((root) => apps.map((app) => join(root, `${app}.app`, 'Contents', 'MacOS', app)));
  }
  if (windows) {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    const parts = [
      join('Google', 'Chrome', 'Application', 'chrome.exe'),
      join('Chromium', 'Application', 'chrome.exe'),
    ];
    return roots.filter((root) => root !== undefined).flatMap((root) => parts.map((part) => join(root, part)));
  }
  return ['/usr/bin/chromium', '/usr/bin/google-chrome', '/snap/bin/chromium'];
}

/** Path of the browser: CHROMIUM_PATH, else the PATH, else the usual places; null if there is none. */
export function findBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return runs(given) ? given : null;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, windows ? `${name}.exe` : name)));
  return [...onPath, ...usualPlaces()].find(runs) ?? null;
}

/** One line that says what is missing. */
export function missingBrowser() {
  const given = process.env.CHROMIUM_PATH;
  return given
    ? `browser tests: CHROMIUM_PATH is ${given}, which cannot be run`
    : 'browser tests: no Chrome or Chromium found; install one or set CHROMIUM_PATH';
}
