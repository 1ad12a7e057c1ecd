import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { parseRunNumbers } from '#src/base/contracts/report/runNumbers.ts';
import { isNetworkError } from '#web/api/apiError.ts';
import { type Comparison, useComparison, type ComparedRun } from './useComparison.ts';
import { useProjects } from '#web/features/projects/useProjects.ts';
import { usePrimaryMetrics } from '#web/features/metrics/usePrimaryMetrics.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { metricOrder } from '#web/lib/metricOrder.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { ComparisonParts } from './ComparisonParts.tsx';
import { useRunFiles } from '#web/features/embeddings/useRunFiles.ts';
import { embeddingFile } from '../embeddings/embeddingFiles.ts';
import './compare.css';

/** Leads to the embeddings of the first run beside those of the next with another configuration, where both left some. */
function EmbeddingsLink({ runs }: { runs: readonly ComparedRun[] }) {
  const [first] = runs;
  const second = runs.find(({ configuration }) => configuration.hash !== first?.configuration.hash) ?? runs[1];
  const { data: ofFirst } = useRunFiles(second === undefined || first === undefined ? null : first.id);
  const { data: ofSecond } = useRunFiles(second?.id ?? null);
  if (!ofFirst || !ofSecond) return null;
  const file = embeddingFile(ofFirst.artifacts, undefined);
  const same = file === null ? null : embeddingFile(ofSecond.artifacts, file.name);
  if (file === null || same === null) return null;
  return (
    <Link
      className="button"
      to="/embeddings"
      search={{ run: String(ofFirst.number), artifact: file.name, with: String(ofSecond.number) }}
      title={`${file.name} of #${ofFirst.number} beside that of #${ofSecond.number}`}
    >
      Embeddings
    </Link>
  );
}

/** Chosen runs side by side: which configuration is better and is that so, in what they differ, metrics and curves. */
export function ComparePage() {
  useTitle('Compare');
  const search = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const ids = useMemo(() => runsOf(search.runs ?? ''), [search.runs]);
  const { data: all, error, refetch } = useComparison(ids, search.value);
  const [wanted, setWanted] = useState('');
  const words = useDeferredValue(wanted).toLowerCase();
  const primary = usePrimaryMetrics(all?.runs);
  const mayWrite = useMayWrite();
  const [perUser, setPerUser] = useState(false);
  const data = useMemo(() => (all === undefined ? undefined : withMetrics(all, words, primary)), [all, words, primary]);

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
        <NoRuns />
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
          {all !== undefined && data !== undefined && (
            <ComparisonParts
              {...{ ids, all, search }}
              shown={data}
              onSearch={(change) =>
                void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
              }
              onRuns={(rest) =>
                void navigate({ search: (before) => ({ ...before, runs: writeList(rest) }), replace: true })
              }
              onPaired={setPerUser}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Projects shown, those with the most runs. */
const MOST_PROJECTS = 8;

/** What to compare: runs that are selected, or the configurations of a project. */
function NoRuns() {
  const { data = [] } = useProjects();
  const projects = data.filter(({ runCount }) => runCount > 1).sort((a, b) => b.runCount - a.runCount);
  return (
    <EmptyState title="No runs chosen">
      <p>
        Select runs in the <Link to="/runs">table of runs</Link> and press Compare.
      </p>
      {projects.length > 0 && (
        <>
          <p>Or look at the configurations of a project beside each other, with means over their seeds:</p>
          <ul className="plain-list">
            {projects.slice(0, MOST_PROJECTS).map(({ name, runCount }) => (
              <li key={name}>
                <Link to="/runs" search={{ project: name, group: 'configuration' }}>
                  {name}
                </Link>{' '}
                <span className="muted">{formatCount(runCount)} runs</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </EmptyState>
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
