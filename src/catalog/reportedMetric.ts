import { nearNames, oneOf } from '../base/lib/nearNames.ts';
import type { KindDefinition } from './kind.ts';
import { KINDS } from './kinds.ts';
import { LIST_METRICS, RANKING_METRIC_NAMES, VALIDATED_METRICS, VALIDATION_CUTOFF } from './rankingMetrics.ts';

/** Names below these are not judged: they depend on the model and on the machine. */
const UNJUDGED = /^(?:time|smoothness|system)\//;
/** `test/ndcg@10`, or of a group of users `test/tail/ndcg@10`. */
const RANKING_METRIC = /^(valid|test)\/(?:[a-z0-9-]+\/)?([a-z0-9-]+)@(\d+)$/;

/** What a recommender reports of a part of the data. */
interface PartMetrics {
  names: readonly string[];
  cutoffs: readonly number[];
}

/**
 * Why no run of a kind with these parameters reports a metric, as a sentence with what may have been meant; null where it may.
 * Only Warren's own recommenders say beforehand what they report.
 */
export function whyNeverReported(
  metric: string,
  { kind, parameters }: { kind: string; parameters: Readonly<Record<string, unknown>> },
): string | null {
  const definition = KINDS.find((own) => own.kind === kind);
  const { cutoffs } = parameters;
  if (definition === undefined || !isRecommender(definition) || !isCounts(cutoffs)) return null;
  const isTrained = 'epochs' in parameters;
  if (UNJUDGED.test(metric) || (isTrained && metric.startsWith('train/'))) return null;
  const all: readonly string[] = [...RANKING_METRIC_NAMES, ...Object.keys(LIST_METRICS)];
  const validated = [...new Set([...cutoffs, VALIDATION_CUTOFF])].sort((a, b) => a - b);
  const parts: Record<'valid' | 'test', PartMetrics> = {
    // overrec ranks the validation part as it does the test part
    valid: { names: kind === 'overrec' ? all : VALIDATED_METRICS, cutoffs: validated },
    test: { names: all, cutoffs },
  };
  const [, part, name, cutoff] = RANKING_METRIC.exec(metric) ?? [];
  const meant = parts[part === 'test' || /^test/i.test(metric) ? 'test' : 'valid'];
  if (part !== undefined && meant.names.includes(name!)) {
    if (meant.cutoffs.includes(Number(cutoff))) return null;
    return `${kind} reports ${part}/${name} at ${meant.cutoffs.join(', ')}, not at ${cutoff}: add ${cutoff} to its cutoffs.`;
  }
  const prefix = meant === parts.test ? 'test' : 'valid';
  const possible = meant.cutoffs.flatMap((at) => meant.names.map((each) => `${prefix}/${each}@${at}`));
  if (isTrained) possible.push('train/loss');
  const near = all.includes(name ?? '') ? '' : oneOf(nearNames(metric, possible, 1));
  const loss = isTrained ? 'train/loss and ' : '';
  const names = `NAME one of ${meant.names.join(', ')} and N one of ${meant.cutoffs.join(', ')}`;
  return `${kind} never reports ${metric}.${near || ` It reports ${loss}${prefix}/NAME@N, with ${names}.`}`;
}

/** Kinds that rank all items for each user, and report that in the same way. */
function isRecommender({ parameters, primaryMetric }: KindDefinition): boolean {
  return 'cutoffs' in parameters.shape && primaryMetric.startsWith('test/');
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number');
}
