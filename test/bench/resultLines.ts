import type { BenchResult, BenchRow } from './benchResult.ts';

/** A case with its seconds, median and spread, in one line. */
export function timingLine(key: string, seconds: number, [least, greatest]: [number, number]): string {
  return `${key.padEnd(40)} ${seconds.toFixed(3)} s  (${least.toFixed(3)} to ${greatest.toFixed(3)})`;
}

/** A row with a unit of its own, beside what it should be, in one line. */
export function rowLine({ work, value, unit, aim, processorMs, also }: BenchRow): string {
  const aimed = `${unit.endsWith('/s') ? '≥' : '≤'} ${aim}`;
  const processor = processorMs === null ? '' : `${processorMs.toFixed(1)} ms of processor a call`;
  const digits = value < 10 ? 1 : 0;
  const cells = [work.padEnd(46), `${value.toFixed(digits)} ${unit}`.padStart(16), `(${aimed})`.padEnd(11)];
  return [...cells, [processor, also].filter((text) => text !== '').join('; ')].join(' ');
}

/** All that a benchmark found. */
export function resultLines(result: BenchResult): string[] {
  const timing = ([key, seconds]: [string, number]) =>
    timingLine(key, seconds, result.spread[key] ?? [seconds, seconds]);
  return [
    ...Object.entries(result.ours).map(timing),
    ...Object.entries(result.peers).map(timing),
    ...Object.entries(result.ratios).map(([key, ratio]) => `ours / ${key}: ${ratio.toFixed(4)}`),
    ...(result.table ?? []).map(rowLine),
    ...result.notes,
  ];
}
