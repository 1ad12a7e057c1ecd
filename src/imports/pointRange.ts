import { createHash } from 'node:crypto';
import type { PointRange } from '#src/base/contracts/pointRange.ts';

/** Points of one series in columns. */
export interface PointColumns {
  readonly steps: readonly number[];
  readonly values: readonly number[];
  /** Unix milliseconds. */
  readonly times: readonly number[];
}

const BYTES = 24;
const HIGH = 2 ** 32;

/** Negative where point `a` comes before point `b`: by step, time and value, NaN last. */
function compare({ steps, values, times }: PointColumns, a: number, b: number): number {
  if (steps[a] !== steps[b]) return steps[a]! - steps[b]!;
  if (times[a] !== times[b]) return times[a]! - times[b]!;
  const [first, second] = [values[a]!, values[b]!];
  if (first < second) return -1;
  if (first > second) return 1;
  return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
}

/** What the server is asked about points, of which there is at least one: whether it holds exactly these. */
export function pointRange(name: string, columns: PointColumns): PointRange {
  const { steps, values, times } = columns;
  const order = Uint32Array.from(steps.keys());
  const sorted = order.every((place) => place === 0 || compare(columns, place - 1, place) < 0);
  if (!sorted) order.sort((a, b) => compare(columns, a, b));
  const view = new DataView(new ArrayBuffer(order.length * BYTES));
  let at = 0;
  let before = -1;
  for (const place of order) {
    if (before >= 0 && compare(columns, before, place) === 0) continue;
    before = place;
    writeInteger(view, at, steps[place]!);
    writeInteger(view, at + 8, times[place]!);
    const value = values[place]!;
    if (Number.isNaN(value)) writeInteger(view, at + 16, 0x7ff80000 * HIGH);
    else view.setFloat64(at + 16, value === 0 ? 0 : value);
    at += BYTES;
  }
  const [first, last] = [order[0]!, order.at(-1)!];
  return {
    name,
    first: { step: steps[first]!, timeMs: times[first]! },
    last: { step: steps[last]!, timeMs: times[last]! },
    count: at / BYTES,
    sha256: createHash('sha256')
      .update(new Uint8Array(view.buffer, 0, at))
      .digest('hex'),
  };
}

/** A whole number as an integer of 64 bits. */
function writeInteger(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / HIGH);
  view.setInt32(at, high);
  view.setUint32(at + 4, value - high * HIGH);
}
