import type { RunGroupRow } from './useRunGroups.ts';
import { Icon } from '#web/components/Icon.tsx';
import { formatInterval } from '#web/lib/formatInterval.ts';
import { formatProbability } from '#web/lib/formatNumber.ts';
import { verdictWords } from '#src/base/lib/groupedTable.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';

type Test = NonNullable<RunGroupRow['metrics'][number]['test']>;

/** Whether a group is better than the baseline, how sure that is, and how many seeds would tell. */
export function GroupVerdict({ test: found }: { test: Test | null | undefined }) {
  if (found == null) return null;
  const { verdict, test, pHolm, seedsNeeded, reason } = found;
  if (verdict == null || test == null) return <span className="muted groups-reason">{reason}</span>;
  const values = { difference: toNumber(test.difference), low: toNumber(test.low), high: toNumber(test.high) };
  const { difference, interval } = formatInterval(values);
  const p = pHolm ?? test.p;
  const pairs = test.method === 'paired' ? `${found.n} pairs of seeds` : 'Welch’s test, no shared seeds';
  return (
    <span className={`groups-verdict groups-${verdict}`} title={`95 % interval ${interval}; ${pairs}`}>
      {verdict === 'better' && <Icon name="star" size={11} />}
      <strong>{verdictWords(verdict)}</strong> {difference}, p {p < 1e-300 || p === 0 ? '' : '= '}
      {formatProbability(p)}
      {verdict === 'undecided' && (
        <span className="muted">
          {seedsNeeded == null
            ? ', more than 1,000 seeds'
            : `, ${seedsNeeded} more ${seedsNeeded === 1 ? 'seed' : 'seeds'} for 80 % power`}
        </span>
      )}
    </span>
  );
}
