/** The column (from 1) that an error about a filter points at, from `filter, column 17: …`; null without one. */
export function filterErrorColumn(message: string): number | null {
  const match = /column (\d+)/.exec(message);
  return match === null ? null : Number(match[1]);
}

/**
 * The whole word of a filter that its error does not know as a field: the error names `optimizer` of `optimizer.lr`. Null for other
 * errors, and where the word does not stand at the column that is told, as in a filter of several lines, or has quotes.
 */
export function unknownField(filter: string, message: string): { word: string; column: number } | null {
  const first = /there is no field "([^"\n]+)"/.exec(message)?.[1];
  const column = filterErrorColumn(message);
  if (first === undefined || column === null) return null;
  const [word = '', quote] = /^[^\s()"',=<>!]+(["']?)/.exec(filter.slice(column - 1)) ?? [];
  return word.startsWith(first) && quote === '' ? { word, column } : null;
}
