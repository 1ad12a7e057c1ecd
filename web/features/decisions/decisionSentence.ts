import type { DecisionDetail } from './useDecision.ts';
import { formatNumber, formatProbability } from '#web/lib/formatNumber.ts';

/** What has come out, in a sentence; empty while it goes on. */
export function decisionSentence({ state, better, a, b, metric, looks, reason }: DecisionDetail): string {
  const look = looks.at(-1);
  const p = look?.p == null ? '' : ` (p ${formatProbability(look.p)} over all looks)`;
  switch (state) {
    case 'RUNNING':
      return '';
    case 'DECIDED': {
      const [first, second] = better === 'B' ? [b, a] : [a, b];
      const how = better === null ? 'differs from' : 'is better than';
      const size = formatNumber(Math.abs(look?.difference ?? Number.NaN));
      return `${first.label} ${how} ${second.label} in ${metric}, by ${size}${p}.`;
    }
    case 'FUTILE':
      return `Futile: ${reason}${p}.`;
    case 'UNDECIDED':
      return `Not decided: ${reason}${p}.`;
    default:
      return `${reason}.`;
  }
}

/** What it took beside a single test; empty while nobody knows. */
export function savingSentence({ pairsSaved, fixedPairs }: DecisionDetail): string {
  if (pairsSaved === null) return '';
  const single = `the ${fixedPairs} of a single test with the same alpha and power for the same difference`;
  if (pairsSaved === 0) return `As many pairs as ${single}.`;
  const count = Math.abs(pairsSaved);
  return `${count} ${count === 1 ? 'pair' : 'pairs'} ${pairsSaved > 0 ? 'fewer' : 'more'} than ${single}.`;
}
