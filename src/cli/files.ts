// Files of the command line: read as text, written whole or not at all, errors in one line.

import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** Text of a file. Throws CallError: `cannot read x.json: there is no such file`. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CallError(`cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** Bytes of a file. Throws CallError: `cannot read ball.hair: there is no such file`. */
export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CallError(`cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** A place for the result, tried before the work begins. */
export interface Output {
  /** Writes the file, whole. Throws CallError. */
  write(text: string): void;
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
    write(text) {
      try {
        if (direct) {
          writeFileSync(path, text);
          return;
        }
        writeFileSync(beside, text, { flag: 'wx' });
        renameSync(beside, path);
      } catch (error) {
        rmSync(beside, { force: true });
        refuse(error);
      }
    },
  };
}
