/** How one curve is told from the others: by colour and, from the eighth on, by dashes too. */
export interface SeriesStyle {
  /** CSS variable of the colour: `--series-1` to `--series-7`. */
  colorVariable: string;
  dash: number[];
}

/** Colours of the palette (Okabe and Ito's, without its yellow, which is too faint on white). */
export const SERIES_COLORS = 7;
/** Patterns of lines, the full one first. */
export const DASHES: number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4]];

/** The style of the curve with this index: 35 differ before they repeat. */
export function seriesStyle(index: number): SeriesStyle {
  return {
    colorVariable: `--series-${(index % SERIES_COLORS) + 1}`,
    dash: DASHES[Math.floor(index / SERIES_COLORS) % DASHES.length]!,
  };
}

/** How many styles there are, and in how many colors. */
export const SERIES_STYLES = { colors: SERIES_COLORS, all: SERIES_COLORS * DASHES.length };
