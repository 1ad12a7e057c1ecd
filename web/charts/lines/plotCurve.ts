import type { CurvePoints } from '#web/lib/curves/meanCurve.ts';
import type { SeriesStyle } from '../seriesStyle.ts';

/** A line of a plot. */
export interface PlotCurve extends CurvePoints {
  /** Tells it from the others of its plot. */
  key: string;
  /** What it stands for: a run or a group, the same in all plots of a page. */
  id: string;
  label: string;
  style: SeriesStyle;
}

export interface PlotRange {
  low: number;
  high: number;
}
