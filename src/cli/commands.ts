// The table of commands. A new one is a file beside this one and a row here.

import { bake } from './bake';
import { bench } from './bench';
import { run } from './run';
import { solve } from './solve';
import { tetrahedra } from './tetrahedra/tetrahedra';
import type { Command } from './usage';

/** All commands, in the order of the help text. */
export const COMMANDS: readonly Command[] = [run, solve, bake, tetrahedra, bench];
