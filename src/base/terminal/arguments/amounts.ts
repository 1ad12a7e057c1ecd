import { badInput } from '#src/base/contracts/errors.ts';
import { memoryInMb, sizeInBytes } from '#src/base/lib/memoryAmount.ts';
import { TIME_UNITS_MS } from '#src/base/lib/timeUnits.ts';

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

/** Reads an option's amount of memory, such as `8G` (powers of 1024), as MiB; for commander's option parsers. */
export function memoryOption(option: string): (text: string) => number {
  return (text) => {
    const megabytes = memoryInMb(text);
    if (megabytes !== null) return megabytes;
    throw badInput(`expected an amount of memory with its unit (M, G, T), such as 8G, not "${text}"`, option);
  };
}

/** Reads a size on a disk, such as `20G` (powers of 1024), as bytes; for commander's option parsers. */
export function sizeOption(option: string): (text: string) => number {
  return (text) => {
    const bytes = sizeInBytes(text);
    if (bytes !== null) return bytes;
    throw badInput(`expected a size in K, M, G or T, such as 20G, or bytes, such as 4096, not "${text}"`, option);
  };
}

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

/** Reads an option's part of one, such as `.05`; for commander's option parsers. */
export function part(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value > 0 && value < 1) return value;
    throw badInput(`expected a number between 0 and 1, such as 0.05, not "${text}"`, option);
  };
}
