import type { MetricDirection } from './kind.ts';
import { addedMetric } from './modules/addedContent.ts';
import { LIST_METRICS, type MetricInfo, RANKING_METRICS } from './rankingMetrics.ts';
import { METRIC_FAMILIES, VALUE_METRICS } from './valueMetrics.ts';

/** Everything whose direction is declared, by the last part of its name. */
const DECLARED = new Map<string, MetricInfo>(Object.entries({ ...VALUE_METRICS, ...LIST_METRICS, ...RANKING_METRICS }));
const FAMILIES = new Map<string, MetricInfo>(Object.entries(METRIC_FAMILIES));

/** The part of the data in front of a metric's name, as other programs write it: `val_loss`. */
const PART_IN_FRONT = /^(?:train|training|val|valid|validation|eval|test)[_-]/;

/**
 * What Warren says of a metric, and what it lets modules of WARREN_KINDS add: by the last part of its name without cut-off
 * (`test/ndcg@10`), where that is not known by a family (`time/epoch`). What Warren says goes before what a module says. Null
 * for what nobody declared, and for everything under `system/`.
 */
export function declaredMetric(name: string): MetricInfo | null {
  const parts = partsOf(name);
  if (parts[0] === 'system') return null;
  return ownMetric(parts) ?? firstNamed(addedMetric, parts) ?? null;
}

/** What Warren itself says of a metric, as `declaredMetric` has it. */
export function builtInMetric(name: string): MetricInfo | null {
  return ownMetric(partsOf(name)) ?? null;
}

/** Which way a metric is better, as it is declared: `test/ndcg@10` is better higher. Null where nobody says. */
export function metricDirection(name: string): MetricDirection | null {
  return declaredMetric(name)?.direction ?? null;
}

function partsOf(name: string): string[] {
  return name.toLowerCase().split('/');
}

function ownMetric(parts: readonly string[]): MetricInfo | undefined {
  const family = parts.findLast((part) => FAMILIES.has(part)) ?? '';
  return firstNamed((name) => DECLARED.get(name), parts) ?? FAMILIES.get(family);
}

function firstNamed(find: (name: string) => MetricInfo | undefined, parts: readonly string[]): MetricInfo | undefined {
  const last = parts.at(-1)!.replace(/@.*$/, '');
  return find(last) ?? find(last.replace(PART_IN_FRONT, ''));
}
