import { badInput } from '#src/contracts/errors.ts';
import { TIME_UNITS_MS } from '#src/lib/timeUnits.ts';

/** Reads an option's span of time, such as `2h` or `1h30m`, as seconds; for commander's option parsers. */
export function durationInSeconds(option: string): (text: string) => number {
  return (text) => {
    const trimmed = text.trim();
    if (!/^(?:\d{1,9}[smhdw])+$/.test(trimmed)) {
      throw badInput(
        `expected a span of time with its unit (s, m, h, d, w), such as 2h or 1h30m, not "${text}"`,
        option,
      );
    }
    const parts = [...trimmed.matchAll(/(\d+)([smhdw])/g)];
    return parts.reduce((sum, [, count, unit]) => sum + (Number(count) * TIME_UNITS_MS[unit!]!) / 1000, 0);
  };
}
