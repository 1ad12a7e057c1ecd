import type { Interactions } from '../prepare/interactions.ts';
import { InteractionRows, quoted } from './interactionRows.ts';
import type { ReadOptions } from './readOptions.ts';
import { textLines } from './textLines.ts';

const EXPECTED = '"user item item …", one line a user, separated by blanks';

/**
 * Reads `user item item …`, one line a user, items in time order, with ids of any text. Throws DATA_ERROR as `readSequences`
 * does.
 */
export async function readTextSequences(path: string, options: ReadOptions = {}): Promise<Interactions> {
  const rows = new InteractionRows(path, options);
  rows.begin({ hasTimes: false, hasRatings: false });
  const names = { user: 'user', item: 'item', time: null, rating: null };
  const met = new Set<string>();
  for await (const { text, line } of textLines(path, 'utf-8', options)) {
    const [user = '', ...items] = (text ?? '').trim().split(/\s+/);
    if (text === null) rows.bad.add(line, 'bytes that are no UTF-8 (say which encoding it is: --encoding)', EXPECTED);
    else if (met.has(user))
      rows.bad.add(
        line,
        `user ${quoted(user)} again`,
        'one line per user; if each line is one interaction: --format pairs or --format table',
      );
    else if (items.length === 0 && user !== '' && options.emptyLists !== true)
      rows.bad.add(line, `user ${quoted(user)} without items`, EXPECTED);
    else {
      met.add(user);
      for (const item of items) rows.take({ user, item }, line, names);
    }
  }
  return rows.finish({
    form: 'one line a user, with the items in order',
    columns: { user: 'the first word of a line', item: 'the others', time: null, rating: null },
    linesAreOrder: true,
    expected: EXPECTED,
  });
}
