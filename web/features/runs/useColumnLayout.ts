import { useEffect, useMemo, useState } from 'react';
import { type ColumnLayout, resizeColumn } from './columnLayout.ts';

/** The layout with the width that a column has while its edge is dragged: the address hears of it when it is let go. */
export function useColumnLayout(layout: ColumnLayout, onLayout: (layout: ColumnLayout) => void) {
  const [dragged, setDragged] = useState<{ column: string; width: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the address says ends the drag
  useEffect(() => setDragged(null), [layout]);
  return {
    layout: useMemo(
      () => (dragged === null ? layout : resizeColumn(layout, dragged.column, dragged.width)),
      [layout, dragged],
    ),
    onResize(column: string, width: number | null, done: boolean) {
      if (done || width === null) onLayout(resizeColumn(layout, column, width));
      else setDragged({ column, width });
    },
  };
}
