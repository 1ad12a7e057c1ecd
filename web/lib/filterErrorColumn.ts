/** The column (from 1) that an error about a filter points at, from `filter, column 17: …`; null without one. */
export function filterErrorColumn(message: string): number | null {
  const match = /column (\d+)/.exec(message);
  return match === null ? null : Number(match[1]);
}

/** The word that an error about a filter does not know as a field, from `there is no field "lr"`; null in other errors. */
export function unknownField(message: string): string | null {
  return /there is no field "([^"\n]+)"/.exec(message)?.[1] ?? null;
}
