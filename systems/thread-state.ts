// What a world knows of its threads (threads.ts).

import type { Pool } from '../src/threads/pool';

/** What a world knows of its threads. */
export interface ThreadState {
  /** Null: one thread. */
  pool: Pool | null;
  /** Why there is none, where some were asked for. */
  reason: string;
}
