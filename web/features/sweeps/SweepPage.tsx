import { Link, useParams } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { type SweepDetail, useSweep, useSweepImportance, useSweepTrials } from './useSweep.ts';
import { Announcer } from '#web/components/Announcer.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { readSweepDefinition, type SweepDefinition } from './sweepDefinition.ts';
import { BestTrial } from './BestTrial.tsx';
import { ImportanceCard } from './ImportanceCard.tsx';
import { BestSoFar, ParallelCard, Slices } from './SweepCharts.tsx';
import { SweepHeader } from './SweepHeader.tsx';
import { TrialsTable } from './TrialsTable.tsx';
import { TrialTip } from './TrialTip.tsx';
import { type TrialSet, trialSet } from './trialSet.ts';
import { useTrialFilter } from './useTrialFilter.ts';
import './sweep.css';

/** One sweep: how far it is, what can be done with it, and what its trials say. */
export function SweepPage() {
  const { sweepId } = useParams({ from: '/sweeps/$sweepId' });
  const { data: sweep, error, refetch } = useSweep(sweepId);
  // asked for at once, beside the sweep itself
  const trials = useSweepTrials(sweepId, sweep);
  useTitle(sweep ? `Sweep ${sweep.number}, ${sweep.name}` : 'Sweep');
  const failed = error !== null && !isNetworkError(error);
  return (
    <div className="page">
      {(failed || sweep === null) && <h1>Sweep</h1>}
      {failed && <ErrorNotice title="The sweep cannot be read." error={error} onRetry={() => void refetch()} />}
      {sweep === undefined && !failed && <Loading what="sweep" />}
      {sweep === null && (
        <EmptyState title={`There is no sweep ${sweepId}`}>
          <Link to="/sweeps">All sweeps</Link>
        </EmptyState>
      )}
      {sweep && <LoadedSweep key={sweep.id} sweep={sweep} trials={trials} />}
    </div>
  );
}

function LoadedSweep({ sweep, trials: read }: { sweep: SweepDetail; trials: ReturnType<typeof useSweepTrials> }) {
  const definition = useMemo(() => readSweepDefinition(sweep.definition), [sweep.definition]);
  const { trials: columns, error } = read;
  const trials = useMemo(
    () => (columns === null ? null : trialSet(columns, sweep.parameters, definition?.metric ?? null)),
    [columns, sweep.parameters, definition],
  );
  return (
    <>
      <Announcer text={`Sweep ${sweep.number} is ${sweep.state.toLowerCase()}`} />
      <SweepHeader sweep={sweep} definition={definition} />
      {error !== null && !isNetworkError(error) && <ErrorNotice title="The trials cannot be read." error={error} />}
      {trials === null && error === null && <Loading what="trials" look="panels" lines={3} />}
      {trials?.count === 0 && <EmptyState title="No trial has been drawn yet" />}
      {trials !== null && trials.count > 0 && <Trials sweep={sweep} definition={definition} trials={trials} />}
    </>
  );
}

interface TrialsProps {
  sweep: SweepDetail;
  definition: SweepDefinition | null;
  trials: TrialSet;
}

function Trials({ sweep, definition, trials }: TrialsProps) {
  const filter = useTrialFilter(trials);
  const [hovered, setHovered] = useState<number | null>(null);
  const measured = useMemo(() => trials.objectives.filter(Number.isFinite).length, [trials]);
  const { data: importance = null } = useSweepImportance(sweep.id, measured);
  const order = useMemo(() => (importance ?? []).map(({ path }) => path), [importance]);
  const paths = useMemo(() => trials.parameters.map(({ path }) => path), [trials]);
  // the table may lag behind a drag that the charts follow at once
  const passes = useDeferredValue(filter.points.passes);
  const chart = { trials, filter, hovered, onHover: setHovered };
  const best = trials.records.at(-1) ?? null;
  const hasMetric = definition?.metric != null;
  return (
    <>
      {best !== null && (
        <BestTrial {...{ sweep, trials }} metric={definition?.metric ?? null} agentLine={definition?.agentLine} />
      )}
      {hasMetric && (
        <div className="sweep-top">
          <BestSoFar {...chart} />
          <ImportanceCard importance={importance} measured={measured} parameters={paths} />
        </div>
      )}
      {trials.parameters.length > 0 && <ParallelCard {...chart} />}
      {hasMetric && <Slices {...chart} order={order} />}
      <div className="page-head">
        <h2>Trials</h2>
        <span className="muted">
          {filter.points.filtered ? `${filter.passing} of ${trials.count} pass the filter` : trials.count}
        </span>
      </div>
      <TrialsTable
        trials={trials}
        seeds={definition?.seeds ?? []}
        goal={definition?.metric?.goal ?? null}
        passes={passes}
        best={best}
        onHover={setHovered}
      />
      {hovered !== null && hovered < trials.count && <TrialTip trials={trials} index={hovered} />}
    </>
  );
}
