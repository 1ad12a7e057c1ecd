import type { MetricValue } from '#src/base/lib/metricValue.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { markdownText } from '#src/base/lib/tableText.ts';

const DIGITS = 4;
/** No cell of a table is longer. */
const LONGEST_CELL = 300;
/** What stands where there is nothing. */
export const NOTHING = '–';

/** A number with four significant digits, whole numbers as they are. */
export function significantDigits(given: MetricValue | null | undefined): string {
  if (given === null || given === undefined) return NOTHING;
  const value = Number(given);
  if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(DIGITS)));
}

/** Any value of a configuration as text. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A table in Markdown; very long cells are cut. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((text) => ({ text: shorten(text, LONGEST_CELL) })));
  return markdownText({ heads, rows: cells, numbersFrom: heads.length }).trimEnd();
}

/** Lines of a program as they are, between marks that none of them can end. */
export function codeBlock(lines: readonly string[]): string {
  const text = lines.join('\n');
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return `${fence}\n${text}\n${fence}`;
}

/** Paragraphs, without those that are empty. */
export function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}

/** The first of some lines, with a line about the rest where there is one. */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  rest: (left: number) => string,
): { shown: readonly Item[]; note: string } {
  const left = items.length - most;
  return { shown: items.slice(0, most), note: left > 0 ? rest(left) : '' };
}
