import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** A metric's column and sort key, in the filter language's words: `metric."test/ndcg@10"`. */
export function metricColumn(name: string): string {
  return `metric."${name.replace(/["\\]/g, '\\$&')}"`;
}

/** What was found of columns: a table asks for each of its cells. */
const metricsOfColumns = new Map<string, string | null>();

/** The metric's name of a column made by `metricColumn`; null for other columns. */
export function metricOfColumn(column: string): string | null {
  let metric = metricsOfColumns.get(column);
  if (metric === undefined) {
    const match = /^metric\."((?:[^"\\]|\\.)*)"$/.exec(column);
    metric = match === null ? null : match[1]!.replace(/\\(.)/g, '$1');
    metricsOfColumns.set(column, metric);
  }
  return metric;
}

/** The column of a metric's curve: `curve."train/loss"`. */
export function curveColumn(name: string): string {
  return metricColumn(name).replace('metric.', 'curve.');
}

/** The metric's name of a column made by `curveColumn`; null for other columns. */
export function metricOfCurve(column: string): string | null {
  return column.startsWith('curve.') ? metricOfColumn(column.replace('curve.', 'metric.')) : null;
}

/** The column of the newest text that runs logged under a name, as the filter and orders name it: `text."verdict"`. */
export function textColumn(name: string): string {
  return metricColumn(name).replace('metric.', 'text.');
}

/** The name of a column made by `textColumn`; null for other columns. */
export function textOfColumn(column: string): string | null {
  return column.startsWith('text.') ? metricOfColumn(column.replace('text.', 'metric.')) : null;
}

/** The configuration path of a `config.…` column; null for other columns. */
export function pathOfColumn(column: string): string | null {
  return column.startsWith('config.') ? column.slice('config.'.length) : null;
}

/**
 * The one name of a column that may be named as in the filter language and on the command line: `config.learningRate` is
 * `config.parameters.learningRate`, `metric.loss` and `test/ndcg@10` are `metric."loss"` and `metric."test/ndcg@10"`, and
 * `text.verdict` is `text."verdict"`.
 */
export function canonicalColumn(column: string): string {
  const path = /^(?:config|parameters?)\.(.+)$/.exec(column)?.[1];
  if (path !== undefined) {
    if (path === 'dataset') return 'config.dataset.name';
    return /^(?:dataset|parameters)\./.test(path) ? `config.${path}` : `config.parameters.${path}`;
  }
  if ([metricOfColumn, metricOfCurve, textOfColumn].some((nameOf) => nameOf(column) !== null)) return column;
  const text = /^texts?\.(.+)$/.exec(column)?.[1];
  if (text !== undefined) return textColumn(text);
  const metric = /^metrics?\.(.+)$/.exec(column)?.[1] ?? (column.includes('/') ? column : undefined);
  return metric === undefined ? column : metricColumn(metric);
}

/** The column of a field that may be named in short, as in reports: what is none of the fields of a run is a parameter, `model.name`, too. */
export function columnOfField(field: string, fieldsOfRun: readonly string[]): string {
  if (fieldsOfRun.includes(field)) return field;
  return canonicalColumn(/^(config|parameters?|metrics?|texts?)\./.test(field) ? field : `config.${field}`);
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
