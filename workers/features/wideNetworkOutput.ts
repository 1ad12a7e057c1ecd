import type { RandomGenerator } from '../math/random/randomGenerator.ts';

/** One-layer network of Proposition 2 with the identity as activation and a scalar input, trained on one sample a step. */
export interface OnePassTraining {
  /** (steps) Inputs and targets, in their order; the loss is ½ (g - y)². */
  inputs: readonly number[];
  targets: readonly number[];
  /** Input at which the network is looked at, at the end. */
  query: number;
}

/**
 * g^(T)(x) and h^(T)(x)_1 of a network of the given width, drawn from N(0, 1) in the scaling of Featurizing Pretrained
 * Representations, Section 4.2: g = 1/d Σ Θ_i W_i x, Θ ← Θ - L W x, W ← W - L x Θ, with L the derivative of the loss (α = 1).
 */
export function trainedWideOutput(
  width: number,
  { inputs, targets, query }: OnePassTraining,
  generator: RandomGenerator,
): { output: number; hidden: number } {
  const theta = Float64Array.from({ length: width }, () => generator.normal());
  const weights = Float64Array.from({ length: width }, () => generator.normal());
  const product = (): number => theta.reduce((sum, value, i) => sum + value * weights[i]!, 0) / width;
  for (const [step, x] of inputs.entries()) {
    const slope = product() * x - targets[step]!;
    for (let i = 0; i < width; i++) {
      const before = theta[i]!;
      theta[i]! -= slope * weights[i]! * x;
      weights[i]! -= slope * x * before;
    }
  }
  return { output: product() * query, hidden: weights[0]! * query };
}

/**
 * The limit of that output as the width grows: Θ = C1 Θ⁰ + C2 W⁰ and W = C3 Θ⁰ + C4 W⁰ stay combinations of the start, so
 * g* = (C1 C3 + C2 C4) x. By symmetry it is also the (C1 C2 + C3 C4) x that Proposition 2 prints. `sign` -1 follows the
 * gradient down, as the proof has it; +1 is the recursion as the proposition prints it.
 */
export function wideOutputLimit({ inputs, targets, query }: OnePassTraining, sign: 1 | -1 = -1): number {
  let [c1, c2, c3, c4] = [1, 0, 0, 1];
  for (const [step, x] of inputs.entries()) {
    const slope = (c1 * c3 + c2 * c4) * x - targets[step]!;
    const a = sign * slope * x;
    [c1, c2, c3, c4] = [c1 + a * c3, c2 + a * c4, c3 + a * c1, c4 + a * c2];
  }
  return (c1 * c3 + c2 * c4) * query;
}
