import { badInput } from '#src/contracts/errors.ts';

/** Reads an option's whole number from `minimum` to `maximum`; for commander's option parsers. */
export function wholeNumber(option: string, minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text.trim()) || value < minimum || value > maximum) {
      throw badInput(`expected a whole number from ${minimum} to ${maximum}, not "${text}"`, option);
    }
    return value;
  };
}
