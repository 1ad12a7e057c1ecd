import { MOST_PINNED_RUNS } from '#src/base/contracts/pinnedRuns.ts';

/** Numbers of the runs that stand above all others, as the address and views name them: `3,12`. */
export function readPins(text: string | undefined): number[] {
  const numbers = (text ?? '').split(',').filter((part) => /^[1-9]\d{0,8}$/.test(part));
  return [...new Set(numbers.map(Number))].slice(0, MOST_PINNED_RUNS);
}

/** The text for these numbers; undefined where there are none. */
export function writePins(numbers: readonly number[]): string | undefined {
  return numbers.length === 0 ? undefined : numbers.join(',');
}

/** Pins runs, or takes their pins away where all of them have one. */
export function togglePins(pins: readonly number[], numbers: readonly number[]): number[] {
  if (numbers.every((number) => pins.includes(number))) return pins.filter((number) => !numbers.includes(number));
  return [...new Set([...pins, ...numbers])].slice(0, MOST_PINNED_RUNS);
}
