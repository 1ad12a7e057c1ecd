import { badInput } from '#src/base/contracts/errors.ts';

/** Places in the queue that have a name; runs that are queued without one have the normal one. */
const NAMED: Readonly<Record<string, number>> = { high: 100, normal: 1000, low: 10_000 };
const LAST = 2_097_151;

/** A priority as people write it: `high`, `normal`, `low`, or 1 (taken first) to 2,097,151 (last). */
export function parsePriority(text: string): number {
  const trimmed = text.trim().toLowerCase();
  const named = Object.hasOwn(NAMED, trimmed) ? NAMED[trimmed] : undefined;
  if (named !== undefined) return named;
  const value = Number(trimmed);
  if (/^\d+$/.test(trimmed) && value >= 1 && value <= LAST) return value;
  throw badInput(`expected high, normal, low or a whole number from 1 to ${LAST}, not "${text}"`, 'priority');
}
