const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Seconds between marks of an axis of time that clocks and calendars have. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200].map((days) => days * DAY),
  ...[1, 2, 5, 10].map((years) => years * YEAR),
];

/** The step between marks, in seconds, of which at most `most` fit into so many seconds: those of clocks, below a second 1, 2 or 5 tenths and so on. */
export function timeStep(seconds: number, most: number): number {
  const least = seconds / Math.max(1, most);
  if (!(least > 0)) return 1;
  if (least < 0.5) {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((factor) => Number((factor * power).toPrecision(6))).find((one) => one >= least)!;
  }
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / YEAR) * YEAR;
}

/** So many seconds at a mark, in the largest unit that all marks have whole: `0.5 s`, `30 s`, `10 min`, `6 h`, `2 d`. */
export function timeTick(seconds: number, step: number): string {
  if (seconds === 0) return '0';
  const [unit, size] =
    step >= DAY ? ['d', DAY] : step >= HOUR ? ['h', HOUR] : step >= MINUTE ? ['min', MINUTE] : ['s', 1];
  const shown = seconds / size;
  if (size > 1 || step >= 1) return `${Number(shown.toPrecision(4))} ${unit}`.replace('-', '−');
  return `${shown.toFixed(Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)))} ${unit}`.replace('-', '−');
}

/** Marks along seconds since a beginning, at most so many. */
export function durationMarks(range: { low: number; high: number }, most: number): { value: number; label: string }[] {
  const step = timeStep(range.high - range.low, most);
  return multiples(range, step).map((value) => ({ value, label: timeTick(value, step) }));
}

/** Marks along Unix milliseconds, at most so many: times of day or dates of the reader's clock. */
export function clockMarks(
  { low, high }: { low: number; high: number },
  most: number,
): { value: number; label: string }[] {
  const step = timeStep((high - low) / 1_000, most);
  const offset = new Date(low).getTimezoneOffset() * MINUTE;
  return multiples({ low: low / 1_000 - offset, high: high / 1_000 - offset }, step).map((seconds) => {
    const value = (seconds + offset) * 1_000;
    return { value, label: clockTick(new Date(value), step) };
  });
}

function clockTick(date: Date, step: number): string {
  if (step >= 200 * DAY) return date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric' });
  if (step >= DAY) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  if (step >= MINUTE) return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return date.toLocaleTimeString('en-GB');
}

function multiples({ low, high }: { low: number; high: number }, step: number): number[] {
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toPrecision(15)),
  );
}
