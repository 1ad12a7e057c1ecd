import DataLoader from 'dataloader';

/** What rows that belong to a run are grouped by. */
export const byRun = (row: { runId: string }): string => row.runId;

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

/** As `groupLoader`, for rows that are asked for in several ways: those asked for in the same way are listed together. */
export function groupLoaderWith<Options, Row>(
  keyOf: (row: Row) => string,
  list: (keys: string[], options: Options) => Promise<Row[]>,
): { load(key: string, options: Options): Promise<Row[]> } {
  const loaders = new Map<string, DataLoader<string, Row[]>>();
  return {
    load(key, options) {
      const way = JSON.stringify(options);
      const known = loaders.get(way);
      if (known !== undefined) return known.load(key);
      const loader = groupLoader(keyOf, (keys) => list(keys, options));
      loaders.set(way, loader);
      return loader.load(key);
    },
  };
}
