/** A place in a series: points are in order of their steps, and those of one step in order of their times. */
export interface PointPlace {
  step: number;
  /** Unix milliseconds. */
  timeMs: number;
}

/** All points of one series from one place to another, told by how many they are and what they are. */
export interface PointRange {
  name: string;
  first: PointPlace;
  last: PointPlace;
  count: number;
  /**
   * Hexadecimal digits of the sha256 of the points, each once, by step, time and value (NaN last): step and time as integers
   * of 64 bits, the value as a float of 64 bits, big-endian; every NaN is 7FF8000000000000, and zero has no sign.
   */
  sha256: string;
}
