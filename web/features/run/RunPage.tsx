import { lazy, Suspense, useEffect } from 'react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { type RunDetail, useRun } from './useRun.ts';
import { Announcer } from '#web/components/Announcer.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Tabs } from '#web/components/Tabs.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { isLive } from '#web/lib/runStates.ts';
import { ArtifactsPanel } from './ArtifactsPanel.tsx';
import { ConfigurationPanel } from './ConfigurationPanel.tsx';
import { EnvironmentPanel } from './EnvironmentPanel.tsx';
import { HistoryPanel } from './HistoryPanel.tsx';
import { LogPanel } from './LogPanel.tsx';
import { runItem } from '../palette/foundItems.ts';
import { addRecent } from '../palette/recentItems.ts';
import { OverviewPanel } from './overview/OverviewPanel.tsx';
import { MetricsPanel } from './MetricsPanel.tsx';
import { RunError } from './RunError.tsx';
import { RunHeader } from './RunHeader.tsx';
import type { RunTab } from './runSearch.ts';
import './run.css';

const LineagePanel = lazy(async () => ({ default: (await import('./lineage/LineagePanel.tsx')).LineagePanel }));
const MediaPanel = lazy(async () => ({ default: (await import('../media/MediaPanel.tsx')).MediaPanel }));

/** One run: what it is, how it goes, what it left. */
export function RunPage() {
  const { runId } = useParams({ from: '/runs/$runId' });
  const { tab = 'overview' } = useSearch({ from: '/runs/$runId' });
  const navigate = useNavigate({ from: '/runs/$runId' });
  const { data: run, error, refetch } = useRun(runId);
  useEffect(() => {
    if (run) addRecent(runItem(run));
  }, [run]);
  useTitle(run ? `#${run.number} ${run.name}` : 'Run');

  if (run === undefined) {
    if (error === null || isNetworkError(error)) return <Loading what="run" />;
    return (
      <div className="page">
        <h1>Run</h1>
        <ErrorNotice title="The run cannot be shown." error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (run === null) {
    return (
      <div className="page">
        <h1>Run</h1>
        <EmptyState title={`There is no run ${runId}`}>
          <Link to="/runs">All runs</Link>
        </EmptyState>
      </div>
    );
  }
  const tabs = [
    { name: 'overview', label: 'Overview' },
    { name: 'metrics', label: count('Metrics', run.metrics.filter(({ name }) => !name.startsWith('system/')).length) },
    { name: 'media', label: 'Media' },
    { name: 'log', label: 'Log' },
    { name: 'configuration', label: 'Configuration' },
    { name: 'artifacts', label: count('Artifacts', run.artifacts.length) },
    { name: 'lineage', label: 'Lineage' },
    { name: 'history', label: count('History', run.events.length) },
    { name: 'environment', label: 'Environment' },
  ] as const;
  return (
    <div className="page run-page">
      <Announcer text={`Run ${run.number}: ${run.state.toLowerCase()}`} />
      <RunHeader run={run} />
      <RunError run={run} />
      {run.warnings.map((warning) => (
        <div className="notice" key={warning}>
          {warning}
        </div>
      ))}
      <div className="run-tabs">
        <Tabs
          label="Parts of the run"
          tabs={tabs}
          current={tab}
          onChange={(next) =>
            void navigate({ search: next === 'overview' ? {} : { tab: next }, replace: true, resetScroll: false })
          }
        >
          <RunPanel run={run} tab={tab} />
        </Tabs>
      </div>
    </div>
  );
}

function RunPanel({ run, tab }: { run: RunDetail; tab: RunTab }) {
  switch (tab) {
    case 'overview':
      return <OverviewPanel key={run.id} run={run} />;
    case 'metrics':
      return <MetricsPanel key={run.id} run={run} />;
    case 'media':
      return (
        <Suspense fallback={<Loading what="media" />}>
          <MediaPanel runs={[{ id: run.id, label: `#${run.number}` }]} live={isLive(run.state)} />
        </Suspense>
      );
    case 'log':
      return <LogPanel key={run.id} run={run} />;
    case 'configuration':
      return <ConfigurationPanel run={run} />;
    case 'artifacts':
      return <ArtifactsPanel run={run} />;
    case 'lineage':
      return (
        <Suspense fallback={<Loading what="lineage" />}>
          <LineagePanel key={run.id} run={run} />
        </Suspense>
      );
    case 'history':
      return <HistoryPanel run={run} />;
    case 'environment':
      return <EnvironmentPanel run={run} />;
    default:
      return assertNever(tab);
  }
}

function count(label: string, number: number): string {
  return number === 0 ? label : `${label} (${number})`;
}
