import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

export interface SinusoidOptions {
  /** Values. */
  length: number;
  /** Values in one period. */
  period: number;
  /** Standard deviation of the white Gaussian noise that is added. */
  noise: number;
  /** Where in the period it begins, from 0 to 1. */
  phase?: number;
}

/**
 * sin(2π (t / period + phase)) plus white Gaussian noise: the synthetic series of RNTK, Section 5 (there 1,000 samples of one
 * period, noise 0.05). (length)
 */
export function noisySinusoid(
  { length, period, noise, phase = 0 }: SinusoidOptions,
  generator: RandomGenerator,
): Float64Array {
  return Float64Array.from(
    { length },
    (_, t) => Math.sin(2 * Math.PI * (t / period + phase)) + noise * generator.normal(),
  );
}

export interface MixtureComponent {
  /** Relative; components are drawn in proportion. */
  weight: number;
  /** (dimensions) */
  mean: readonly number[];
  /** Standard deviation, the same in every dimension. */
  deviation: number;
}

export interface Mixture {
  /** (count, dimensions), row-major */
  points: Float64Array;
  /** (count) The component of each point. */
  labels: Uint32Array;
}

/** `count` points of a mixture of spherical Gaussians. */
export function gaussianMixture(
  components: readonly MixtureComponent[],
  count: number,
  generator: RandomGenerator,
): Mixture {
  const dimensions = components[0]?.mean.length ?? 0;
  const whole = components.reduce((sum, { weight }) => sum + weight, 0);
  const points = new Float64Array(count * dimensions);
  const labels = new Uint32Array(count);
  for (let point = 0; point < count; point++) {
    let left = generator.nextFloat() * whole;
    let label = 0;
    while (label < components.length - 1 && left >= components[label]!.weight) left -= components[label++]!.weight;
    const { mean, deviation } = components[label]!;
    labels[point] = label;
    for (let d = 0; d < dimensions; d++) points[point * dimensions + d] = mean[d]! + deviation * generator.normal();
  }
  return { points, labels };
}
