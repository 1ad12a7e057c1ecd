import type { Pages } from '../declarations/reading.mjs';

/** What a generator gives, as often as it is asked for. */
export function pagesOf<Entry>(read: () => AsyncGenerator<Entry, void, undefined>): Pages<Entry> {
  return {
    [Symbol.asyncIterator]: read,
    async all() {
      const entries: Entry[] = [];
      for await (const entry of read()) entries.push(entry);
      return entries;
    },
  };
}
