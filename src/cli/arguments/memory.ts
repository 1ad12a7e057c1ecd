import { badInput } from '../../contracts/errors.ts';

const MEBIBYTES: Readonly<Record<string, number>> = { M: 1, G: 1024, T: 1024 * 1024 };

/** Reads an option's amount of memory, such as `8G` (powers of 1024), as MiB; for commander's option parsers. */
export function memoryInMb(option: string): (text: string) => number {
  return (text) => {
    const [, count, unit] = /^(\d{1,7}(?:\.\d{1,3})?)([MGT])(?:i?B)?$/i.exec(text.trim()) ?? [];
    const megabytes = Math.round(Number(count) * (MEBIBYTES[unit?.toUpperCase() ?? ''] ?? 0));
    if (megabytes > 0) return megabytes;
    throw badInput(`expected an amount of memory with its unit (M, G, T), such as 8G, not "${text}"`, option);
  };
}
