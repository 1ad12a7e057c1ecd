/** How the vectors' traces name an optimizer: `adamw corrected (code: eps outside the root)`. */
export interface TracedOptimizer {
  variant: string;
  method: 'sgd' | 'adam' | 'adamw';
  /** SEvo's correction of the moments of idle embeddings, which adamw alone has. */
  momentCorrection: boolean;
  epsilonInRoot: boolean;
}

/**
 * Those of the named traces that are formulas of ours; the algorithms as printed, in which V decays with beta1, are not. Throws
 * for a name that does not say what it is.
 */
export function tracedOptimizers(variants: readonly string[]): TracedOptimizer[] {
  return variants
    .filter((variant) => !variant.includes('as printed'))
    .map((variant) => {
      const [, method, words] = /^(sgd|adamw|adam)(.*)$/.exec(variant) ?? [];
      if (method !== 'sgd' && method !== 'adam' && method !== 'adamw') throw new Error(`${variant}: not known`);
      return {
        variant,
        method,
        momentCorrection: !words!.includes('uncorrected'),
        epsilonInRoot: words!.includes('inside the root'),
      };
    });
}
