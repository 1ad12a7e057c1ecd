import type { Interactions } from '../prepare/interactions.ts';
import { InteractionRows, quoted } from './interactionRows.ts';
import type { ReadOptions } from './readOptions.ts';
import { textLines } from './textLines.ts';

const EXPECTED =
  'impression, user, time, history, and the items shown with -1 where they were clicked, separated by tabs';

/**
 * Reads the `behaviors.tsv` of MIND: `impression⇥user⇥time⇥history⇥N1-0 N2-1 …`. Interactions are the items that were clicked; the
 * history, which has no times, is not read. Throws DATA_ERROR as `readTable` does.
 */
export async function readImpressions(path: string, options: ReadOptions = {}): Promise<Interactions> {
  const rows = new InteractionRows(path, options);
  rows.begin({ hasTimes: true, hasRatings: false });
  const names = { user: 'user', item: 'item', time: 'time', rating: null };
  for await (const { text, line } of textLines(path, 'utf-8', options)) {
    const fields = (text ?? '').split('\t');
    const [, user = '', time, , shown = ''] = fields;
    const items = shown.trim().split(/\s+/);
    if (fields.length !== 5 || !items.every((item) => /.-[01]$/.test(item))) {
      rows.bad.add(line, quoted(text ?? ''), EXPECTED);
      continue;
    }
    for (const item of items) if (item.endsWith('-1')) rows.take({ user, item: item.slice(0, -2), time }, line, names);
  }
  return rows.finish({
    form: 'impressions: the items that were clicked',
    columns: { user: 'column 2', item: 'column 5, those with -1', time: 'column 3', rating: null },
    expected: EXPECTED,
    notes: ['the histories in column 4 have no times and are not read'],
  });
}
