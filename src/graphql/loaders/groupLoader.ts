import DataLoader from 'dataloader';

/** A loader of the rows that belong to each key, in the order in which `list` gives them. */
export function groupLoader<Row>(
  keyOf: (row: Row) => string,
  list: (keys: string[]) => Promise<Row[]>,
): DataLoader<string, Row[]> {
  return new DataLoader<string, Row[]>(async (keys) => {
    const rowsOf = new Map<string, Row[]>(keys.map((key) => [key, []]));
    for (const row of await list([...keys])) rowsOf.get(keyOf(row))?.push(row);
    return keys.map((key) => rowsOf.get(key) ?? []);
  });
}
