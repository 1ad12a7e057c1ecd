/** The column (from 1) that an error about a filter points at, from `filter, column 17: …`; null without one. */
export function filterErrorColumn(message: string): number | null {
  const match = /column (\d+)/.exec(message);
  return match === null ? null : Number(match[1]);
}
