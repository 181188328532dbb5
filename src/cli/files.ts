// Files of the command line: read as text, written whole or not at all, errors in one line.

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { CallError } from './usage';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many links',
};

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? (REASONS[code] ?? code) : 'it is not a readable file';
}

/** Most that is read of one file [B]. */
const LARGEST_FILE = 512 * 2 ** 20;
const CHUNK = 2 ** 20;

/** Bytes of an open file, a chunk at a time: a pipe does not say how long it is. */
function readAll(file: number, path: string): Uint8Array {
  const stat = fstatSync(file);
  if (stat.isDirectory()) throw new CallError(`cannot read ${path}: it is a folder`);
  if (stat.isCharacterDevice() || stat.isBlockDevice()) throw new CallError(`cannot read ${path}: it is a device`);
  const chunks: Uint8Array[] = [];
  for (let total = 0; ; ) {
    const chunk = new Uint8Array(CHUNK);
    const count = readSync(file, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
    if (total > LARGEST_FILE || stat.size > LARGEST_FILE) {
      const size = stat.isFile() ? `, got ${Math.ceil(stat.size / 2 ** 20)} MiB` : '';
      throw new CallError(`cannot read ${path}: must be at most ${LARGEST_FILE / 2 ** 20} MiB${size}`);
    }
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

function readOpened(path: string, flags: number): Uint8Array {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | flags);
    return readAll(file, path);
  } catch (error) {
    if (error instanceof CallError) throw error;
    throw new CallError(`cannot read ${path}: ${reasonOf(error)}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Bytes of a file that the call names. Throws CallError. */
export function readBytes(path: string): Uint8Array {
  return readOpened(path, 0);
}

/** Text of a file or pipe that the call names. Throws CallError: `cannot read x.json: there is no such file`. */
export function readText(path: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readOpened(path, 0));
}

/**
 * Bytes of a regular file that a scene names, as seen from the scene's folder. A scene may come from anywhere: unless
 * the call allows more, what it names must lie in that folder, links followed. Throws CallError.
 */
export function readNamedFile(folder: string, name: string, isAnywhereAllowed: boolean): Uint8Array {
  const path = resolve(folder, name);
  const refuse = (reason: string): never => {
    throw new CallError(`cannot read ${path}: ${reason}`);
  };
  if (name.includes('\0')) refuse('it is not a readable file');
  try {
    if (!isAnywhereAllowed) {
      requireWithin(folder, path, name);
      requireWithin(realpathSync(folder), realpathSync(path), name);
    }
    // Before it is opened: opening a pipe waits for who writes to it.
    if (!statSync(path).isFile()) refuse(statSync(path).isDirectory() ? 'it is a folder' : 'it is no regular file');
  } catch (error) {
    if (error instanceof CallError) throw error;
    refuse(reasonOf(error));
  }
  return readOpened(path, constants.O_NONBLOCK ?? 0);
}

/** Refuses a path outside of the folder. */
function requireWithin(folder: string, path: string, name: string): void {
  const way = relative(folder, path);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return;
  throw new CallError(
    `cannot read ${JSON.stringify(name)}: files of a scene must lie in its folder, unless --allow-files is given`,
  );
}

/** Whether both paths lead to the same file, links followed. */
export function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

/** A place for the result, tried before the work begins. */
export interface Output {
  /** Writes the file, whole. Throws CallError. */
  write(data: string | Uint8Array): void;
}

/** Makes sure that `path` can be written, leaving no trace. Throws CallError when it cannot. */
export function prepareOutput(path: string): Output {
  const refuse = (error: unknown): never => {
    const code = (error as { code?: unknown } | null)?.code;
    throw new CallError(`cannot write ${path}: ${code === 'ENOENT' ? 'there is no such folder' : reasonOf(error)}`);
  };

  const look = (place: string) => {
    try {
      return statSync(place, { throwIfNoEntry: false });
    } catch (error) {
      return refuse(error);
    }
  };

  const existing = look(path);
  if (existing?.isDirectory()) refuse({ code: 'EISDIR' });

  // Pipes and devices are written to directly; files beside the target first, so that no half of one is left.
  const direct = existing !== undefined && !existing.isFile();
  const beside = `${path}.${process.pid}.part`;

  try {
    if (existing?.isFile()) closeSync(openSync(path, 'r+'));
    if (!direct) {
      closeSync(openSync(beside, 'wx'));
      rmSync(beside);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT' && look(dirname(path))) {
      throw new CallError(`cannot write ${path}: no file can be made there`);
    }
    refuse(error);
  }

  return {
    write(data) {
      try {
        if (direct) {
          writeFileSync(path, data);
          return;
        }
        writeFileSync(beside, data, { flag: 'wx' });
        renameSync(beside, path);
      } catch (error) {
        rmSync(beside, { force: true });
        refuse(error);
      }
    },
  };
}
