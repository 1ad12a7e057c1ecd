import { badInput } from '#src/contracts/errors.ts';
import { TIME_UNITS_MS } from '#src/lib/timeUnits.ts';

/** Reads an option's span of time, such as `30d`, as days; for commander's option parsers. */
export function ageInDays(option: string): (text: string) => number {
  return (text) => {
    const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? [];
    if (count === undefined || unit === undefined) {
      throw badInput(`expected a number and a unit (s, m, h, d, w) such as 30d, not "${text}"`, option);
    }
    return (Number(count) * TIME_UNITS_MS[unit]!) / TIME_UNITS_MS.d!;
  };
}
