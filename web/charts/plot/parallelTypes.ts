/** A part of an axis, 0 (low) to 1 (high). */
export type Range = readonly [low: number, high: number];

/** One axis of a parallel plot. */
export interface ParallelAxisData {
  id: string;
  title: string;
  places: Float64Array;
  ticks: readonly { place: number; label: string }[];
  categories: number | null;
  textAt(place: number): string;
}
