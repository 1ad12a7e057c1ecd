import type { MetricDirection } from './kind.ts';
import { LIST_METRICS, type MetricInfo, RANKING_METRICS } from './rankingMetrics.ts';

/** Metrics whose direction is declared. */
const DECLARED = new Map<string, MetricInfo>(Object.entries({ ...RANKING_METRICS, ...LIST_METRICS }));

const LOWER = new Set(
  'loss nll bce perplexity error errors mae mse rmse mape regret time seconds duration latency rank difference wer fpr eer'.split(
    ' ',
  ),
);
const HIGHER = new Set(
  'ndcg mrr hr map recall precision f1 hit hits accuracy acc auc auroc r2 snr psnr bleu rouge reward score coverage novelty diversity flatness pma likelihood throughput purity'.split(
    ' ',
  ),
);

/**
 * Which way a metric is better: as it is declared, where it is one of rankings or lists (`test/ndcg@10`: higher); else by the
 * words of its name, read from the end (`time/epoch`, by time: lower). Null where no word says, and for everything under
 * `system/`.
 */
export function metricDirection(name: string): MetricDirection | null {
  const parts = name.toLowerCase().split('/');
  if (parts[0] === 'system') return null;
  const declared = DECLARED.get(parts.at(-1)!.replace(/@.*$/, ''));
  if (declared !== undefined) return declared.direction;
  for (const part of parts.reverse()) {
    const words = part.replace(/@.*$/, '').split(/[^a-z0-9]+/);
    for (const word of words.reverse()) {
      if (HIGHER.has(word)) return 'higher';
      if (LOWER.has(word)) return 'lower';
    }
  }
  return null;
}
