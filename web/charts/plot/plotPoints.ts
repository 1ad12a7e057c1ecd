/** What plots of one page share: the same points in all of them. */
export interface PlotPoints {
  count: number;
  /** How good each is, 0 (bad) to 1 (good); NaN where that is not known. */
  goodness: Float64Array;
  /** 1 where a point passes the filters. */
  passes: Uint8Array;
  /** Whether any filter is set. */
  filtered: boolean;
  /** Indexes from bad to good, so that the good are drawn over the others. */
  order: Int32Array;
}

/** The step of a colour ramp for a goodness; -1 where it is not known. */
export function rampStep(goodness: number, steps: number): number {
  return Number.isNaN(goodness) ? -1 : Math.min(steps - 1, Math.floor(goodness * steps));
}

/** Indexes from bad to good, those of unknown goodness first. */
export function drawingOrder(goodness: Float64Array): Int32Array {
  const rank = (index: number) => (Number.isNaN(goodness[index]!) ? -1 : goodness[index]!);
  return Int32Array.from(goodness.keys()).sort((a, b) => rank(a) - rank(b) || a - b);
}
