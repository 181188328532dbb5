// How densely the page is drawn, by what this machine manages: where frames come late, and not because the processor is
// busy, fewer pixels are drawn, step by step.

/** Frames looked at before a change, and the first ones after one, which compile and settle. */
const [LOOKED_AT, PASSED_OVER] = [90, 20];
/** A frame that takes longer than this is late [ms]: 60 Hz with some room. */
const LATE = 19;
/** A longer one is the browser's doing: the page was hidden [ms]. */
const LONGEST = 250;
/** The processor is not the cause where it was busy for less than this share of the median frame. */
const BUSY = 0.7;

export interface Pace {
  /**
   * Notes a frame: the time since the one before, and how long of that the processor was busy [ms]. Returns whether
   * less should be drawn from now on.
   */
  note(interval: number, busy: number): boolean;
}

export function createPace(): Pace {
  const [intervals, busies] = [new Float64Array(LOOKED_AT), new Float64Array(LOOKED_AT)];
  let count = -PASSED_OVER;
  const median = (values: Float64Array) => values.slice().sort()[LOOKED_AT >> 1];
  return {
    note(interval, busy) {
      if (!(interval > 0 && interval < LONGEST)) return false;
      if (count >= 0) {
        intervals[count] = interval;
        busies[count] = busy;
      }
      if (++count < LOOKED_AT) return false;
      const usual = median(intervals);
      const isLate = usual > LATE && median(busies) < BUSY * usual;
      count = isLate ? -PASSED_OVER : 0;
      return isLate;
    },
  };
}
