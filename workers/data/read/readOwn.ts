import { z } from 'zod';
import type { ReaderInput } from '#src/catalog/modules/addition.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Interactions } from '../prepare/interactions.ts';
import { openText } from './containers/openText.ts';
import { InteractionRows, quoted } from './interactionRows.ts';
import type { ReadOptions } from './readOptions.ts';
import { textLines } from './textLines.ts';

const scalar = z.union([z.string(), z.number()]);
/** What the types of `warren/kinds` ask for, for modules that nobody has type-checked. */
const rowSchema = z.object({
  user: scalar,
  item: scalar,
  time: scalar.optional(),
  rating: scalar.optional(),
  line: z.int().optional(),
});

/**
 * Reads a file with a reader of somebody's own. What it yields is checked like the rows of any other reader. Throws DATA_ERROR as
 * `readTable` does, and with the error that the reader threw.
 */
export async function readOwn(reader: ReaderInput, path: string, options: ReadOptions): Promise<Interactions> {
  const rows = new InteractionRows(path, options);
  async function* lines(): AsyncGenerator<string> {
    let next = 1;
    for await (const { text, line } of textLines(path, 'auto', options)) {
      for (; next < line; next++) yield '';
      yield text ?? '';
      next++;
    }
  }
  async function text(): Promise<string> {
    const parts: Buffer[] = [];
    for await (const chunk of openText(path, options)) parts.push(chunk);
    return Buffer.concat(parts).toString('utf8');
  }
  let has: { times: boolean; ratings: boolean } | null = null;
  let count = 0;
  try {
    for await (const found of reader.read({ path, lines, text })) {
      count++;
      const row = rowSchema.safeParse(found);
      if (!row.success) {
        rows.bad.add(
          count,
          quoted(JSON.stringify(found) ?? 'nothing'),
          'a row { user, item, time?, rating? } from the reader',
        );
        continue;
      }
      const { user, item, time, rating, line = count } = row.data;
      if (has === null) {
        has = { times: time !== undefined, ratings: rating !== undefined };
        rows.begin({ hasTimes: has.times, hasRatings: has.ratings });
      }
      rows.take({ user: String(user), item: String(item), time, rating }, line, {
        user: 'user',
        item: 'item',
        time: 'time',
        rating: 'rating',
      });
    }
  } catch (thrown) {
    if (thrown instanceof WarrenError) throw thrown;
    const message = `${path}: the reader ${reader.name} failed at row ${count + 1}: ${coerceError(thrown).message}`;
    throw new WarrenError('DATA_ERROR', message, { path, cause: thrown });
  }
  return rows.finish({
    form: `as the reader ${reader.name} has it: ${reader.words}`,
    columns: {
      user: 'user',
      item: 'item',
      time: has?.times === true ? 'time' : null,
      rating: has?.ratings === true ? 'rating' : null,
    },
    expected: `rows from the reader ${reader.name}`,
  });
}
