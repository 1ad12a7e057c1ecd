import type { SeriesStyle } from './seriesStyle.ts';

/** One line of a chart. Arrays have equal length; x rises. */
export interface Curve {
  id: string;
  label: string;
  style: SeriesStyle;
  x: readonly number[];
  /** The line itself; values that are not finite leave a gap and a mark. */
  y: readonly number[];
  /** Band around the line: extremes of the points that each entry stands for, or mean ± deviation. */
  low: readonly number[] | null;
  high: readonly number[] | null;
}

export interface ChartScale {
  logarithmic: boolean;
  /** What x is: a step, or seconds since the run's first point. */
  x: 'step' | 'seconds';
  /** What x is instead, where it is neither: any number. */
  xTitle?: string | undefined;
  /** The vertical axis takes in no more than this; null, or left out: all values. */
  range?: { low: number; high: number } | null;
}

/** The value as it can be drawn: null for a gap. A logarithmic axis has no place for what is not above zero. */
export function drawable(value: number, scale: ChartScale): number | null {
  if (!Number.isFinite(value)) return null;
  return scale.logarithmic && value <= 0 ? null : value;
}
