import { badInput } from '#src/base/contracts/errors.ts';

/** The value of an option that is a whole number above 0. @throws WarrenError BAD_INPUT. */
export function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw badInput(`--${option}: expected a whole number above 0, received "${text}"`, option);
}
