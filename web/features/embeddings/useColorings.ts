import { useMemo } from 'react';
import type { LoadedEmbeddings } from './embeddingMessages.ts';
import type { ItemTable } from './itemTable.ts';
import type { Coloring } from './pointColors.ts';
import { rowColoring } from './rowColoring.ts';
import { rowInFirst } from './rowsOfClouds.ts';

const NONE: readonly Coloring[] = [];

/** The colors of each embedding's rows by a choice, and the codes of the entry of the legend that is to be bright. */
export function useColorings(
  loaded: LoadedEmbeddings | null,
  items: ItemTable | null,
  { color, bright }: { color: string; bright: string | null },
) {
  const colorings = useMemo(
    () =>
      loaded?.rows.map((rows, cloud) =>
        rowColoring(color, { loaded, items, rows, firstRow: (row) => rowInFirst(loaded, cloud, row) }),
      ) ?? NONE,
    [loaded, items, color],
  );
  const brightCodes = useMemo(() => {
    const entry = colorings[0]?.legend.find(({ label }) => label === bright);
    return entry === undefined ? null : new Set(entry.codes);
  }, [colorings, bright]);
  return { colorings, brightCodes };
}
