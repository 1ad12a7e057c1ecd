import { badLine } from './badLine.ts';
import { BadLines } from './badLines.ts';
import type { ReadOptions } from './readOptions.ts';
import { plainName } from './tableColumns.ts';
import { textLines } from './textLines.ts';

/** Texts with a label each, by the part of the data that they belong to. */
export interface LabelledTexts {
  texts: readonly string[];
  /** (texts) Places in `classes`. */
  labels: Uint32Array;
  classes: readonly string[];
  /** (texts) 1 for those of the test part, 0 for the others. */
  isTest: Uint8Array;
  /** Empty strings where the file has none. */
  ids: readonly string[];
}

/**
 * Reads labelled texts from a TSV with a header: `label` and `text`, and, where there are any, `id` and `split` (`train` or
 * `test`). A tab in a text ends it, so texts have none. Throws DATA_ERROR with file and lines for missing columns, another
 * number of fields, empty texts or labels, and other splits.
 */
export async function readLabelledText(path: string, options: ReadOptions = {}): Promise<LabelledTexts> {
  const bad = new BadLines(path, options.lenient === true);
  const texts: string[] = [];
  const labels: string[] = [];
  const ids: string[] = [];
  const tests: number[] = [];
  let names: string[] | null = null;
  for await (const { text: row, line } of textLines(path, 'utf-8', options)) {
    const fields = row?.split('\t') ?? [];
    if (names === null) {
      names = fields.map(plainName);
      const missing = ['label', 'text'].filter((name) => !names?.includes(name));
      if (missing.length > 0 || new Set(names).size < names.length) {
        throw badLine(path, line, `the columns ${names.join(', ')}`, 'label and text, each column once');
      }
      continue;
    }
    const field = (name: string): string => fields[names?.indexOf(name) ?? -1] ?? '';
    const split = names.includes('split') ? field('split') : 'train';
    const [label, text] = [field('label').trim(), field('text')];
    if (row === null) bad.add(line, 'bytes that are no UTF-8', 'UTF-8 text');
    else if (fields.length !== names.length)
      bad.add(line, `${fields.length} fields`, `${names.length}, separated by tabs`);
    else if (label === '' || text.trim() === '') bad.add(line, 'an empty label or text', 'both');
    else if (split !== 'train' && split !== 'test') bad.add(line, `the split "${split.slice(0, 40)}"`, 'train or test');
    else {
      texts.push(text);
      labels.push(label);
      ids.push(field('id'));
      tests.push(split === 'test' ? 1 : 0);
    }
  }
  bad.refuseIfAny();
  if (texts.length === 0) throw badLine(path, 1, 'no texts', 'a header with label and text, then one text a line');
  const classes = [...new Set(labels)].sort();
  const places = new Map(classes.map((label, place) => [label, place]));
  return {
    texts,
    labels: Uint32Array.from(labels, (label) => places.get(label)!),
    classes,
    isTest: Uint8Array.from(tests),
    ids,
  };
}
