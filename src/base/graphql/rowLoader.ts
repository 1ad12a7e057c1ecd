import DataLoader from 'dataloader';

/** A loader of single rows by key; null where there is none. */
export function rowLoader<Row>(keyOf: (row: Row) => string, find: (keys: string[]) => Promise<Row[]>) {
  return new DataLoader<string, Row | null>(async (keys) => {
    const rows = new Map((await find([...keys])).map((row) => [keyOf(row), row]));
    return keys.map((key) => rows.get(key) ?? null);
  });
}
