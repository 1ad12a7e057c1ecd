import type { HistoryRow } from '../declarations/reading.mjs';
import type { Transport } from './transport.ts';

/** Points of a metric as columns. */
interface Series {
  name: string;
  steps: readonly number[];
  values: readonly unknown[];
  times: readonly number[];
}

const NON_FINITE: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity };

/** Every point of a run, one row a step; with `keys` these metrics alone, at the steps where all of them have a value. */
export async function* scanOf(
  transport: Transport,
  number: number,
  { keys, onUnknown }: { keys: readonly string[] | undefined; onUnknown: (key: string) => void },
): AsyncGenerator<HistoryRow, void, undefined> {
  const text = await transport.text(`/export?format=jsonl&filter=${encodeURIComponent(`number = ${number}`)}`);
  const { metrics = {} }: { metrics?: Record<string, Omit<Series, 'name'>> } =
    text.trim() === '' ? {} : JSON.parse(text);
  for (const key of keys ?? []) if (!Object.hasOwn(metrics, key)) onUnknown(key);
  const wanted = (keys ?? Object.keys(metrics)).filter((key) => Object.hasOwn(metrics, key));
  for (const row of rowsByStep(wanted.map((name) => ({ name, ...metrics[name]! })))) {
    if (keys === undefined || keys.every((key) => Object.hasOwn(row.values, key))) yield row;
  }
}

/** Curves as rows, one a step. */
export function rowsByStep(series: readonly Series[]): HistoryRow[] {
  const rows = new Map<number, HistoryRow>();
  for (const { name, steps, values, times } of series) {
    for (const [index, step] of steps.entries()) {
      const row = rows.get(step) ?? { step, time: 0, values: {} };
      row.time = Math.max(row.time, times[index] ?? 0);
      row.values[name] = numberOf(values[index]);
      rows.set(step, row);
    }
  }
  return [...rows.values()].sort((a, b) => a.step - b.step);
}

/** A value of a metric; null where there is none. */
export function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : numberOf(value);
}

/** A value of a metric: the API names those that JSON has no number for. */
export function numberOf(value: unknown): number {
  return typeof value === 'string' ? (NON_FINITE[value] ?? Number(value)) : Number(value);
}
