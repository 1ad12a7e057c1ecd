/** The last millisecond of the year 9999: later dates are written with a sign, which hardly any program can read. */
export const LAST_TIME_MS = Date.UTC(10_000, 0, 1) - 1;
/** The first millisecond of the year 1. */
export const FIRST_TIME_MS = -62_135_596_800_000;

/** Whether a time of a report, in Unix milliseconds, can be kept: from 1970 to the end of the year 9999. */
export function isStorableTime(timeMs: number): boolean {
  return timeMs >= 0 && timeMs <= LAST_TIME_MS;
}
