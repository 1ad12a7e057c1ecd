import { isPlainObject } from './plainObject.ts';

/** A metric's column and sort key, in the filter language's words: `metric."test/ndcg@10"`. */
export function metricColumn(name: string): string {
  return `metric."${name.replace(/["\\]/g, '\\$&')}"`;
}

/** The metric's name of a column made by `metricColumn`; null for other columns. */
export function metricOfColumn(column: string): string | null {
  const match = /^metric\."((?:[^"\\]|\\.)*)"$/.exec(column);
  return match === null ? null : match[1]!.replace(/\\(.)/g, '$1');
}

/** The configuration path of a `config.…` column; null for other columns. */
export function pathOfColumn(column: string): string | null {
  return column.startsWith('config.') ? column.slice('config.'.length) : null;
}

/** The value at `parameters.…` or `dataset.…`, segments that are no plain words in quotes; `undefined` where absent. */
export function configurationValue(configuration: { parameters: unknown; dataset: unknown }, path: string): unknown {
  let value: unknown = { parameters: configuration.parameters, dataset: configuration.dataset };
  for (const segment of path.match(/"(?:[^"\\]|\\.)*"|[^.]+/g) ?? []) {
    const name = segment.startsWith('"') ? segment.slice(1, -1).replace(/\\(.)/g, '$1') : segment;
    if (!isPlainObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
