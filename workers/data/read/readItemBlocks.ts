import type { Interactions } from '../prepare/interactions.ts';
import { InteractionRows, quoted } from './interactionRows.ts';
import type { ReadOptions } from './readOptions.ts';
import { textLines } from './textLines.ts';

const HEADING = /^\s*(\S+):\s*$/;
const EXPECTED = '"ITEM:" and below it a line "user,rating,date" for each of its users';

/** Whether a line is the heading of a block: `12:`. */
export function isBlockHeading(line: string): boolean {
  return HEADING.test(line);
}

/**
 * Reads blocks by item, as the Netflix prize has them: a line `12:`, then `user,rating,date` or `user,date` for each of the item's
 * users. A block may be empty. Throws DATA_ERROR as `readTable` does.
 */
export async function readItemBlocks(path: string, options: ReadOptions = {}): Promise<Interactions> {
  const rows = new InteractionRows(path, options);
  let item: string | null = null;
  let count = 0;
  const names = { user: 'user', item: 'item', time: 'date', rating: 'rating' };
  for await (const { text, line } of textLines(path, 'utf-8', options)) {
    const heading = text === null ? undefined : HEADING.exec(text)?.[1];
    if (heading !== undefined) {
      item = heading;
      continue;
    }
    const fields = (text ?? '').split(/[,\t;]/).map((field) => field.trim());
    if (count === 0 && item !== null) {
      count = fields.length;
      rows.begin({ hasTimes: count >= 2, hasRatings: count >= 3 });
    }
    if (text === null || item === null || fields.length !== count || count > 3) {
      rows.bad.add(line, text === null ? 'bytes that are no UTF-8' : quoted(text), EXPECTED);
      continue;
    }
    const [user, second, third] = fields as [string, string | undefined, string | undefined];
    rows.take(
      { user, item, rating: count === 3 ? second : undefined, time: count === 3 ? third : second },
      line,
      names,
    );
  }
  const column = (place: number): string => `column ${place} of a block`;
  return rows.finish({
    form: 'blocks by item',
    columns: {
      user: column(1),
      item: 'the heading of each block',
      time: count >= 2 ? column(count) : null,
      rating: count === 3 ? column(2) : null,
    },
    expected: EXPECTED,
  });
}
