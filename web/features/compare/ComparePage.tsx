import { metricOrder } from '#web/lib/metricOrder.ts';
import { usePrimaryMetrics } from '#web/api/usePrimaryMetrics.ts';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { parseRunNumbers } from '#src/contracts/report/runNumbers.ts';
import { isNetworkError } from '#web/api/apiError.ts';
import { type Comparison, useComparison } from '#web/api/useComparison.ts';
import { useMayWrite } from '#web/api/useServer.ts';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { ComparedCurves } from './ComparedCurves.tsx';
import { ComparedMedia } from './ComparedMedia.tsx';
import { ComparedRuns } from './ComparedRuns.tsx';
import { DecideForm } from './DecideForm.tsx';
import { DifferenceTable } from './DifferenceTable.tsx';
import { EmbeddingsLink } from './EmbeddingsLink.tsx';
import { MetricTable } from './MetricTable.tsx';
import { PairedTests } from './PairedTests.tsx';
import { ReplicateTable } from './ReplicateTable.tsx';
import './compare.css';

/** So few configurations leave room for two tables beside each other. */
const FEW = 3;
/** Of more runs only what they have together is shown at first. */
const FEW_RUNS = 6;

/** Chosen runs side by side: which configuration is better and is that so, in what they differ, metrics and curves. */
export function ComparePage() {
  useTitle('Compare');
  const search = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const ids = useMemo(() => runsOf(search.runs ?? ''), [search.runs]);
  const { data: all, error, refetch } = useComparison(ids);
  const [wanted, setWanted] = useState('');
  const words = useDeferredValue(wanted).toLowerCase();
  const primary = usePrimaryMetrics(all?.runs);
  const mayWrite = useMayWrite();
  const [perUser, setPerUser] = useState(false);
  const data = useMemo(() => (all === undefined ? undefined : withMetrics(all, words, primary)), [all, words, primary]);
  const replicated = data?.groups.some((group) => group.runIds.length > 1) === true;

  return (
    <div className="page">
      <div className="page-head">
        <h1>Compare</h1>
        {data !== undefined && ids.length > 0 && (
          <span className="muted">{data.runs.length === 1 ? '1 run' : `${data.runs.length} runs`}</span>
        )}
        {data !== undefined && ids.length > 0 && (
          <input
            className="input spread"
            type="search"
            aria-label="Find metrics"
            placeholder="Find metrics"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        )}
        {data !== undefined && <EmbeddingsLink runs={data.runs} />}
        {data !== undefined && ids.length > 1 && mayWrite && (
          <Link
            className="button button-quiet"
            to="/reports/new"
            search={{
              runs: search.runs,
              ...{ baseline: search.baseline, tested: search.tested, pairs: perUser ? 'users' : undefined },
            }}
          >
            Report
          </Link>
        )}
        {data !== undefined && ids.length > 1 && <ShareButton runs={ids} />}
      </div>
      {ids.length === 0 ? (
        <EmptyState title="No runs chosen">
          <p>
            Select runs in the <Link to="/runs">table of runs</Link> and press Compare.
          </p>
        </EmptyState>
      ) : (
        <>
          {error !== null && !isNetworkError(error) && (
            <>
              <ErrorNotice title="The runs cannot be compared." error={error} onRetry={() => void refetch()} />
              <p>
                <Link to="/runs">All runs</Link>
              </p>
            </>
          )}
          {data === undefined && error === null && <Loading what="comparison" />}
          {data !== undefined && (
            <>
              {data.notComparable.length > 0 && (
                <div className="notice">
                  <strong>Not comparable, because</strong>
                  <ul className="compare-reasons">
                    {data.notComparable.map((reason) => (
                      <li key={reason}>{reason}</li>
                    ))}
                  </ul>
                </div>
              )}
              {all !== undefined && (all.groups.length > 1 || all.runs.length > 1) && (
                <PairedTests
                  ids={ids}
                  comparison={all}
                  onPaired={setPerUser}
                  choice={{
                    baseline: search.baseline ?? null,
                    metrics: search.tested === undefined ? null : readList(search.tested),
                    perUser: search.pairs === undefined ? null : search.pairs === 'users',
                  }}
                  onChoice={({ baseline, metrics, perUser }) =>
                    void navigate({
                      search: (before) => ({
                        ...before,
                        baseline: baseline ?? undefined,
                        tested: metrics === null ? undefined : writeList(metrics),
                        pairs: perUser === null ? undefined : perUser ? 'users' : 'seeds',
                      }),
                      replace: true,
                      resetScroll: false,
                    })
                  }
                />
              )}
              {all?.groups.length === 2 && mayWrite && (
                <DecideForm comparison={all} metric={readList(search.tested ?? '')[0] ?? null} />
              )}
              <DifferenceTable
                comparison={data}
                all={search.fields === 'all'}
                onAll={(all) =>
                  void navigate({
                    search: (before) => ({ ...before, fields: all ? 'all' : undefined }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
              <div className={replicated && data.groups.length <= FEW ? 'compare-columns' : 'page-stack'}>
                {replicated && <ReplicateTable comparison={data} />}
                {data.runs.length <= FEW_RUNS && <MetricTable comparison={data} />}
              </div>
              {data.runs.length > FEW_RUNS && (
                <Disclosure title="Metrics of each run" note={`${data.runs.length} runs`} open={!replicated}>
                  <MetricTable comparison={data} />
                </Disclosure>
              )}
              <Disclosure
                title="Runs"
                note={`${data.runs.length}, each with the color of its curve`}
                open={data.runs.length <= FEW_RUNS}
              >
                <ComparedRuns
                  runs={data.runs}
                  onRemove={(run) => {
                    const rest = ids.filter((id) => id !== run.id && id !== String(run.number));
                    void navigate({ search: (before) => ({ ...before, runs: writeList(rest) }), replace: true });
                  }}
                />
              </Disclosure>
              <ComparedMedia runs={data.runs} />
              <ComparedCurves
                comparison={data}
                grouped={search.curves === 'replicates'}
                onGrouped={(grouped) =>
                  void navigate({
                    search: (before) => ({ ...before, curves: grouped ? 'replicates' : undefined }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
            </>
          )}
        </>
      )}
    </div>
  );
}

/** Runs of the address, by number or id; ranges such as `12-15` as reports and people write them. */
function runsOf(text: string): string[] {
  const ids = readList(text).flatMap((entry) => {
    if (!/^#?\d+\s*[-–]\s*#?\d+$/.test(entry)) return [entry];
    const numbers = parseRunNumbers(entry);
    return 'problem' in numbers ? [entry] : numbers.map(String);
  });
  return [...new Set(ids)];
}

/** The comparison with the metrics whose names hold the words, in the order of reading. */
function withMetrics(comparison: Comparison, words: string, primary: ReadonlySet<string>): Comparison {
  const inOrder = metricOrder(
    comparison.metrics.map(({ name }) => name),
    primary,
  );
  return {
    ...comparison,
    metrics: comparison.metrics
      .filter((metric) => metric.name.toLowerCase().includes(words))
      .sort((a, b) => inOrder(a.name, b.name)),
  };
}
