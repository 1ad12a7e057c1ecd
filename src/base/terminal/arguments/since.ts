import { badInput } from '#src/base/contracts/errors.ts';
import { TIME_UNITS_MS } from '#src/base/lib/timeUnits.ts';

/** Reads `7d`, so long ago, or a date such as `2026-11-30`. @throws WarrenError BAD_INPUT. */
export function readSince(text: string): Date {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? [];
  if (count !== undefined && unit !== undefined) return new Date(Date.now() - Number(count) * TIME_UNITS_MS[unit]!);
  const date = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw badInput(`expected a span such as 7d, or a date such as 2026-11-30, not "${text}"`, '--since');
}
