import type { Comparison } from './useComparison.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { ComparedCurves } from './ComparedCurves.tsx';
import { ComparedMedia } from './ComparedMedia.tsx';
import { ComparedRuns } from './ComparedRuns.tsx';
import type { CompareSearch } from './compareSearch.ts';
import { DecideForm } from './DecideForm.tsx';
import { DifferenceTable } from './DifferenceTable.tsx';
import { MetricTable } from './MetricTable.tsx';
import { PairedTests } from './PairedTests.tsx';
import { ReplicateTable } from './ReplicateTable.tsx';

/** So few configurations leave room for two tables beside each other. */
const FEW = 3;
/** Of more runs only what they have together is shown at first. */
const FEW_RUNS = 6;

export interface ComparisonPartsProps {
  ids: readonly string[];
  /** With all metrics. */
  all: Comparison;
  /** With those that are looked for. */
  shown: Comparison;
  search: CompareSearch;
  /** Changes what is shown of the runs. */
  onSearch(change: Partial<CompareSearch>): void;
  /** Changes which runs are compared. */
  onRuns(ids: readonly string[]): void;
  /** Told whether tests are paired over users. */
  onPaired(perUser: boolean): void;
}

/** What can be said of runs together: tests, differences, metrics, media, curves. */
export function ComparisonParts({ ids, all, shown, search, onSearch, onRuns, onPaired }: ComparisonPartsProps) {
  const mayWrite = useMayWrite();
  const replicated = shown.groups.some((group) => group.runIds.length > 1);
  const isFew = shown.runs.length <= FEW_RUNS;
  return (
    <>
      <NotComparable reasons={shown.notComparable} />
      {(all.groups.length > 1 || all.runs.length > 1) && (
        <PairedTests
          ids={ids}
          comparison={all}
          value={search.value}
          onValue={(value) => onSearch({ value })}
          onPaired={onPaired}
          choice={{
            baseline: search.baseline ?? null,
            metrics: search.tested === undefined ? null : readList(search.tested),
            perUser: search.pairs === undefined ? null : search.pairs === 'users',
          }}
          onChoice={({ baseline, metrics, perUser }) =>
            onSearch({
              baseline: baseline ?? undefined,
              tested: metrics === null ? undefined : writeList(metrics),
              pairs: perUser === null ? undefined : perUser ? 'users' : 'seeds',
            })
          }
        />
      )}
      <DifferenceTable
        comparison={shown}
        all={search.fields === 'all'}
        onAll={(isAll) => onSearch({ fields: isAll ? 'all' : undefined })}
      />
      {all.groups.length === 2 && mayWrite && canQueue(all) && (
        <DecideForm comparison={all} metric={readList(search.tested ?? '')[0] ?? null} />
      )}
      <div className={replicated && shown.groups.length <= FEW ? 'compare-columns' : 'page-stack'}>
        {replicated && <ReplicateTable comparison={shown} />}
        {isFew && <MetricTable comparison={shown} />}
      </div>
      {!isFew && (
        <Disclosure title="Metrics of each run" note={`${shown.runs.length} runs`} open={!replicated}>
          <MetricTable comparison={shown} />
        </Disclosure>
      )}
      <Disclosure title="Runs" note={`${shown.runs.length}, each with the color of its curve`} open={isFew}>
        <ComparedRuns
          runs={shown.runs}
          onRemove={(run) => onRuns(ids.filter((id) => id !== run.id && id !== String(run.number)))}
        />
      </Disclosure>
      <ComparedMedia runs={shown.runs} />
      <ComparedCurves
        comparison={shown}
        grouped={search.curves === undefined ? areReplicated(shown) : search.curves === 'replicates'}
        onGrouped={(grouped) => onSearch({ curves: grouped ? 'replicates' : 'runs' })}
      />
    </>
  );
}

/** Whether more seeds of the configurations can be queued: programs that log by themselves are started elsewhere. */
function canQueue({ runs }: Comparison): boolean {
  return runs.every(({ configuration }) => configuration.kind !== 'external');
}

/** Whether curves of configurations tell more than those of so many runs. */
function areReplicated({ groups }: Comparison): boolean {
  return groups.length > 1 && groups.every(({ runIds }) => runIds.length > 1);
}

function NotComparable({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <div className="notice">
      <strong>Not comparable, because</strong>
      <ul className="compare-reasons">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
