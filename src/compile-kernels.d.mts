/** Text of a file, null where there is none. */
export function readIfThere(path: string): string | null;
/** What tells a text from all others; null of null. */
export function hashOf(text: string | null): string | null;
