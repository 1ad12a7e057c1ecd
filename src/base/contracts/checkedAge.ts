import { badInput } from './errors.ts';

const LONGEST_DAYS = 36_500;

/** An age of runs in days, fractions too. @throws WarrenError BAD_INPUT for one below 0 or without end. */
export function checkedAge(olderThanDays: number): number {
  if (olderThanDays >= 0 && olderThanDays <= LONGEST_DAYS) return olderThanDays;
  const expected = `a number from 0 to ${LONGEST_DAYS}`;
  throw badInput(`olderThanDays: expected ${expected}, received ${olderThanDays}`, 'olderThanDays');
}
