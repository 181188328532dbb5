// Where the clamp of an end (0 start, 1 end) of a strand stands in its columns, as layout.ts says there.

/** First of the twelve numbers of STRAND_CLAMP. */
export const clampAt = (strand: number, end: number): number => 24 * strand + 12 * end;

/** First of the six numbers of STRAND_CLAMP_REST. */
export const clampRestAt = (strand: number, end: number): number => 12 * strand + 6 * end;
