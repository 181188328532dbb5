// What the page and its worker say to each other, and the list of solvers they run.

import type { ProblemAnswer, ProblemOptions } from '../../src/index';

/** One way to solve a problem. */
export interface Method {
  id: string;
  label: string;
  color: string;
  solver: NonNullable<ProblemOptions['solver']>;
  local?: NonNullable<ProblemOptions['local']>;
  preconditioner?: NonNullable<ProblemOptions['preconditioner']>;
  /** Needs A, f, H and w: left out where a problem has only W and b. */
  isFullForm?: boolean;
}

/** All of them, in the order they run: local solvers in sweeps, solvers of whole problems, solvers of the full form. */
export const METHODS: readonly Method[] = [
  { id: 'hybrid', label: 'Newton + fail-safes', color: '#f0a95c', solver: 'gauss-seidel', local: 'hybrid' },
  { id: 'newton', label: 'Newton', color: '#e06c5a', solver: 'gauss-seidel', local: 'newton' },
  { id: 'enumerative', label: 'enumerative', color: '#d48fb0', solver: 'gauss-seidel', local: 'enumerative' },
  { id: 'bracketed', label: 'bracketed', color: '#a98fe0', solver: 'gauss-seidel', local: 'bracketed' },
  { id: 'isotropic', label: 'isotropic', color: '#8d95a5', solver: 'gauss-seidel', local: 'isotropic' },
  { id: 'dantzig', label: 'Dantzig pivoting', color: '#5cb7c4', solver: 'dantzig' },
  { id: 'contact-admm', label: 'contact-space ADMM', color: '#7fc48d', solver: 'contact-admm' },
  { id: 'auto', label: 'auto', color: '#f3e9d8', solver: 'auto' },
  {
    id: 'cr-full',
    label: 'conjugate residuals, Full',
    color: '#ffd34d',
    solver: 'conjugate-residual',
    preconditioner: 'full',
    isFullForm: true,
  },
  {
    id: 'cr-diagonal',
    label: 'conjugate residuals, Diag',
    color: '#b8862b',
    solver: 'conjugate-residual',
    preconditioner: 'diagonal',
    isFullForm: true,
  },
  { id: 'admm', label: 'ADMM on the full form', color: '#4fa3ff', solver: 'admm', isFullForm: true },
  {
    id: 'nested',
    label: 'nested relaxation',
    color: '#c77dff',
    solver: 'nested-relaxation',
    isFullForm: true,
  },
  {
    id: 'staggered-cr',
    label: 'staggered, CR inside',
    color: '#ff8fa3',
    solver: 'staggered-conjugate-residual',
    isFullForm: true,
  },
  {
    id: 'staggered',
    label: 'staggered, active sets',
    color: '#c1445c',
    solver: 'staggered-active-set',
    isFullForm: true,
  },
];

/** Whether a method can be run on a problem of this form. */
export const isFor = (method: Method, form: ProblemFacts['form']): boolean => form === 'full' || !method.isFullForm;

export type Order =
  | { kind: 'load'; id: number; bytes: ArrayBuffer }
  | { kind: 'run'; methods: readonly Method[]; tolerance: number; iterationLimit: number };

/** What the page shows of a problem. */
export interface ProblemFacts {
  contacts: number;
  form: 'reduced' | 'full';
  bilateral: number;
  /** Smallest and largest coefficient. */
  friction: [number, number];
  entries: number;
}

export type Note =
  | { kind: 'loaded'; id: number; facts: ProblemFacts }
  | { kind: 'refused'; id: number; message: string }
  | { kind: 'points'; method: string; iterations: number[]; residuals: number[]; milliseconds: number[] }
  | {
      kind: 'solved';
      method: string;
      milliseconds: number;
      answer: Pick<ProblemAnswer, 'status' | 'iterations' | 'residual' | 'stages' | 'local'>;
    }
  | { kind: 'failed'; method: string; message: string }
  | { kind: 'finished' };
