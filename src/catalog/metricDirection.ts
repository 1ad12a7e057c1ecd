import type { MetricDirection } from './kind.ts';
import { LIST_METRICS, type MetricInfo, RANKING_METRICS } from './rankingMetrics.ts';
import { METRIC_FAMILIES, VALUE_METRICS } from './valueMetrics.ts';

/** Everything whose direction is declared, by the last part of its name. */
const DECLARED = new Map<string, MetricInfo>(Object.entries({ ...VALUE_METRICS, ...LIST_METRICS, ...RANKING_METRICS }));
const FAMILIES = new Map<string, MetricInfo>(Object.entries(METRIC_FAMILIES));

/** The part of the data in front of a metric's name, as other programs write it: `val_loss`. */
const PART_IN_FRONT = /^(?:train|training|val|valid|validation|eval|test)[_-]/;

/**
 * Which way a metric is better, as it is declared: by the last part of its name without cut-off (`test/ndcg@10`: higher), where
 * that is not known by a family (`time/epoch`: lower). Null for what nobody declared, and for everything under `system/`.
 */
export function metricDirection(name: string): MetricDirection | null {
  const parts = name.toLowerCase().split('/');
  if (parts[0] === 'system') return null;
  const last = parts.at(-1)!.replace(/@.*$/, '');
  const declared = DECLARED.get(last) ?? DECLARED.get(last.replace(PART_IN_FRONT, ''));
  const family = parts.findLast((part) => FAMILIES.has(part)) ?? '';
  return (declared ?? FAMILIES.get(family))?.direction ?? null;
}
