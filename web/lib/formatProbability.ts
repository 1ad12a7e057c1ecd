/** A p-value: `0.0312`, `4.1e-5`, `< 1e-300`. */
export function formatProbability(p: number): string {
  if (p === 0) return '< 1e-300';
  return p < 0.001 ? p.toExponential(1) : p.toFixed(4);
}
