import { normaliseRows } from '../math/dense/normaliseRows.ts';
import type { RandomGenerator } from '../math/random/randomGenerator.ts';

/** Unit vectors around one centre a class, and their classes. */
export interface LabelledClusters {
  /** (samples, width) */
  h: Float64Array;
  width: number;
  /** (samples) 0 or 1. */
  labels: Uint8Array;
}

export interface ClusterShape {
  width: number;
  /** Deviation of each coordinate from the centre, which is a unit vector. */
  spread: number;
  /** Probability that a label is turned. */
  noise: number;
  /** Probability of class 1. */
  share: number;
}

/** Centres of two classes, random directions. */
export function clusterCentres(width: number, generator: RandomGenerator): Float64Array {
  return normaliseRows(
    Float64Array.from({ length: 2 * width }, () => generator.normal()),
    width,
  );
}

/** Draws samples around the centres (2, width). */
export function drawClusters(
  { samples, centres, width, spread, noise, share }: ClusterShape & { samples: number; centres: Float64Array },
  generator: RandomGenerator,
): LabelledClusters {
  const drawn = new Float64Array(samples * width);
  const labels = new Uint8Array(samples);
  for (let i = 0; i < samples; i++) {
    const from = generator.nextFloat() < share ? 1 : 0;
    labels[i] = generator.nextFloat() < noise ? 1 - from : from;
    for (let k = 0; k < width; k++) drawn[i * width + k] = centres[from * width + k]! + spread * generator.normal();
  }
  return { h: normaliseRows(drawn, width), width, labels };
}
