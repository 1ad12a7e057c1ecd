import type { Panel } from '#src/base/contracts/workspace.ts';

/** Of one panel. */
const MOST_METRICS = 20;

/** The metrics of a name in which `*` stands for anything; the name itself where there are none. */
export function matchingMetrics(name: string, metrics: readonly string[]): readonly string[] {
  if (!name.includes('*') || metrics.includes(name)) return [name];
  const pattern = new RegExp(`^${name.split('*').map(escapeRegExp).join('.*')}$`, 's');
  const found = metrics.filter((metric) => pattern.test(metric));
  return found.length === 0 ? [name] : found;
}

/** A panel of a pattern with the metrics that match it now, the first twenty; as it is where none does, and without a pattern. */
export function withMatching(panel: Panel, metrics: readonly string[]): Panel {
  if (panel.pattern === undefined) return panel;
  const known = new Set(metrics);
  const found = panel.pattern.split(',').flatMap((name) => matchingMetrics(name.trim(), metrics));
  const matching = [...new Set(found)].filter((name) => known.has(name)).slice(0, MOST_METRICS);
  return matching.length === 0 ? panel : { ...panel, metrics: matching };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
