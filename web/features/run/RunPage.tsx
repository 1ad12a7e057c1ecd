import { lazy, Suspense, useEffect, useDeferredValue, useMemo, useState } from 'react';
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
import { environmentText } from '#web/lib/environmentText.ts';
import { humanName } from '#web/lib/schemaField.ts';
import { asPlainObject, isPlainObject } from '#src/base/lib/plainObject.ts';
import { ValueTable } from './ValueTable.tsx';
import { HistoryPanel } from './HistoryPanel.tsx';
import { LogPanel } from './LogPanel.tsx';
import { runItem } from '../palette/foundItems.ts';
import { addRecent } from '../palette/recentItems.ts';
import { OverviewPanel } from './overview/OverviewPanel.tsx';
import { usePrimaryMetric } from '#web/features/metrics/usePrimaryMetrics.ts';
import { ChartControls, type ChartSettings, DEFAULT_SETTINGS } from '../shared/ChartControls.tsx';
import { FinalValues } from './FinalValues.tsx';
import { MetricGroupCharts } from './MetricGroupCharts.tsx';
import { groupMetrics } from './metricGroups.ts';
import { failureAdvice, isTrace } from '#src/base/contracts/failureAdvice.ts';
import { RunHeader } from './RunHeader.tsx';
import type { RunTab } from './runSearch.ts';
import './run.css';

/** Final values of all metrics, and the course of those that have one. */
function MetricsPanel({ run }: { run: RunDetail }) {
  const [settings, setSettings] = useState<ChartSettings>(DEFAULT_SETTINGS);
  const [wanted, setWanted] = useState('');
  const words = useDeferredValue(wanted).toLowerCase();
  const metrics = useMemo(
    () => run.metrics.filter((metric) => metric.name.toLowerCase().includes(words)),
    [run.metrics, words],
  );
  const primary = usePrimaryMetric(run.configuration.kind);
  const groups = useMemo(() => groupMetrics(metrics, primary), [metrics, primary]);

  if (
    run.metrics.every(({ pointCount }) => pointCount < 2) &&
    run.metrics.every((metric) => metric.name.startsWith('system/'))
  ) {
    return (
      <EmptyState title="No metrics">
        <p>{isLive(run.state) ? 'They appear here as soon as the run reports them.' : 'The run reported none.'}</p>
      </EmptyState>
    );
  }
  return (
    <div className="metrics-panel">
      <div className="row metrics-tools">
        <input
          className="input"
          type="search"
          aria-label="Find metrics"
          placeholder="Find metrics"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        {groups.length > 0 && <ChartControls settings={settings} onChange={setSettings} />}
      </div>
      <FinalValues {...{ metrics, primary }} />
      {groups.map((group) => (
        <MetricGroupCharts
          key={group.prefix}
          runId={run.id}
          group={group}
          live={isLive(run.state)}
          settings={settings}
        />
      ))}
    </div>
  );
}

/** Why a run failed, and what to do about it; the stack, or what the program printed last, for who wants it. */
function RunError({ run }: { run: RunDetail }) {
  const { error } = run;
  const advice = failureAdvice(run.state, error);
  if (error === null && advice === null) return null;
  return (
    <div className="notice notice-error">
      {error !== null && (
        <>
          <span className="run-error-message">{error.message}</span> <code className="muted">{error.code}</code>
        </>
      )}
      {advice !== null && (
        <p className="run-error-advice">
          {advice} {error?.code === 'DATA_ERROR' && <Link to="/datasets">Datasets</Link>}
          {error?.code === 'WORKER_LOST' && <Link to="/workers">Workers</Link>}
        </p>
      )}
      {error !== null && error.stack !== null && (
        <details className="run-error-stack">
          <summary>{isTrace(error.stack) || error.code !== 'RUN_FAILED' ? 'Stack' : 'Last output'}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{error.stack}</pre>
        </details>
      )}
    </div>
  );
}

/** On what the run was executed: versions, device, dataset fingerprint, timings, memory. */
function EnvironmentPanel({ run }: { run: RunDetail }) {
  const environment = asPlainObject(run.environment);
  if (Object.keys(environment).length === 0) {
    return (
      <EmptyState title="Nothing recorded yet">
        <p>The environment is recorded when a worker starts the run.</p>
      </EmptyState>
    );
  }
  const parts = Object.entries(environment);
  const plain = Object.fromEntries(parts.filter(([, value]) => !isPlainObject(value)));
  return (
    <div className="run-columns">
      <ValueTable title="Environment" values={plain} empty="Nothing else." textOf={environmentText} />
      {parts.map(
        ([name, value]) =>
          isPlainObject(value) && (
            <ValueTable key={name} title={humanName(name)} values={value} empty="None." textOf={environmentText} />
          ),
      )}
    </div>
  );
}

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
