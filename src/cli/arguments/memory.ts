import { badInput } from '#src/contracts/errors.ts';
import { memoryInMb } from '#src/lib/memoryAmount.ts';

/** Reads an option's amount of memory, such as `8G` (powers of 1024), as MiB; for commander's option parsers. */
export function memoryOption(option: string): (text: string) => number {
  return (text) => {
    const megabytes = memoryInMb(text);
    if (megabytes !== null) return megabytes;
    throw badInput(`expected an amount of memory with its unit (M, G, T), such as 8G, not "${text}"`, option);
  };
}
