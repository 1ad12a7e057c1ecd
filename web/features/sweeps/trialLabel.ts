import { formatNumber } from '#web/lib/formatNumber.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { DIGITS } from '#web/lib/valueAxis.ts';

/** The last part of each path, or as many more as tell it from the others: `learningRate`, `init.scale`. */
export function shortTitles(paths: readonly string[]): string[] {
  const tail = (path: string, parts: number) => path.split('.').slice(-parts).join('.');
  return paths.map((path) => {
    let parts = 1;
    while (parts < 10 && paths.some((other) => other !== path && tail(other, parts) === tail(path, parts))) parts += 1;
    return tail(path, parts);
  });
}

/** A parameter's value in four significant digits. */
export function shortValue(value: unknown): string {
  return typeof value === 'number' ? formatNumber(value, DIGITS) : formatValue(value);
}

/** What tells a trial from the others: the values that vary, `learningRate 0.01234 · dimension 32`. */
export function trialLabel(
  parameters: readonly { title: string; values: readonly unknown[] }[],
  index: number,
): string {
  return parameters
    .flatMap(({ title, values }) => {
      const value = values[index];
      return value === null || value === undefined ? [] : [`${title} ${shortValue(value)}`];
    })
    .join(' · ');
}
