import type { CSSProperties } from 'react';

/** The table says by its variables how far from the left each pinned column stands. */
export function pinStyle(pin: number): CSSProperties {
  return { left: `var(--pin-${pin})` };
}

/** @param heat From 0 to 1, how much of the column's shade the cell has; null: none. */
export function cellStyle(pin: number | undefined, heat: number | null): CSSProperties | undefined {
  if (pin === undefined && heat === null) return undefined;
  const share = heat === null ? {} : { '--heat-share': `${Math.round(heat * 100)}%` };
  return { ...(pin === undefined ? {} : pinStyle(pin)), ...share };
}
