import { Link, useParams } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState, useEffect, useRef } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import {
  type SweepDetail,
  useSweep,
  useSweepImportance,
  useSweepTrials,
  type ParameterImportance,
  NO_CONFIRMATIONS,
  useSweepConfirmations,
} from './useSweep.ts';
import { Announcer } from '#web/components/Announcer.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { readSweepDefinition, type SweepDefinition } from './sweepDefinition.ts';
import { formatMeanDeviation } from '#web/lib/formatMeanDeviation.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { agentStart, agentStartInNode } from '#src/base/lib/agentStart.ts';
import { confirmedValues } from '#src/base/lib/confirmedValues.ts';
import { isLive } from '#web/lib/runStates.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { DIGITS } from '#web/lib/valueAxis.ts';
import { trialLabel, shortTitles, shortValue } from './trialLabel.ts';
import { type TrialSet, trialSet } from './trialSet.ts';
import { BestSoFar, ParallelCard, Slices } from './SweepCharts.tsx';
import { SweepHeader } from './SweepHeader.tsx';
import { TrialsTable } from './TrialsTable.tsx';
import { useTrialFilter } from './useTrialFilter.ts';
import './sweep.css';

/** The best trial in words, and what fresh seeds say of it. */
function BestTrial({
  sweep,
  trials,
  metric,
  agentLine,
}: {
  sweep: SweepDetail;
  trials: TrialSet;
  metric: SweepDefinition['metric'];
  agentLine: SweepDefinition['agentLine'];
}) {
  const { data = NO_CONFIRMATIONS } = useSweepConfirmations(sweep.id, metric?.name ?? null);
  const { confirmations, untakenConfirmations: untaken } = data;
  const best = trials.records.at(-1);
  if (best === undefined) return null;
  const run = trials.runs[best]?.[0];
  const values = confirmedValues(confirmations, metric);
  const open = confirmations.filter(({ state }) => isLive(state)).length;
  return (
    <section className="panel sweep-best" aria-label="Best trial">
      <span className="sweep-best-value">
        {formatNumber(trials.objectives[best]!, DIGITS)} <span className="muted">{trials.objective.title}</span>
      </span>
      <span>
        {run === undefined ? (
          `trial ${best}`
        ) : (
          <Link to="/runs/$runId" params={{ runId: run.id }}>
            trial {best}
          </Link>
        )}
        : {trialLabel(trials.parameters, best)}
      </span>
      {untaken.length > 0 && (
        <span>
          {untaken.length === 1 ? 'seed' : 'seeds'} {untaken.join(', ')} for agents to confirm it:{' '}
          <code>{agentStart(sweep.number, agentLine)}</code> or, in Node,{' '}
          <code>{agentStartInNode(sweep.number, agentLine)}</code>
        </span>
      )}
      {confirmations.length > 0 && (
        <span>
          {values.length > 0 && (
            <>
              on fresh seeds <b>{meanText(values)}</b> ({values.length}){' '}
            </>
          )}
          {open > 0 && `${open} confirming ${open === 1 ? 'run' : 'runs'} under way `}
          <Link to="/compare" search={{ runs: confirmations.map(({ number }) => number).join(',') }}>
            confirming runs
          </Link>
        </span>
      )}
    </section>
  );
}

function meanText(values: readonly number[]): string {
  const found = summarizeReplicates(values);
  const text = formatMeanDeviation(found.mean, found.standardDeviation);
  return text.deviation === null ? text.mean : `${text.mean} ± ${text.deviation}`;
}

/** Which parameters matter, as bars; the numbers stand beside them. */
function ImportanceCard({
  importance,
  measured,
  parameters,
}: {
  /** Null until it is read. */
  importance: readonly ParameterImportance[] | null;
  /** Trials with an objective. */
  measured: number;
  /** Paths of all parameters that vary. */
  parameters: readonly string[];
}) {
  const titles = new Map(shortTitles(parameters).map((title, index) => [parameters[index], title]));
  return (
    <section className="panel sweep-card sweep-importance" aria-labelledby="importance">
      <div className="chart-head">
        <h2 id="importance">Importance</h2>
        <span
          className="muted"
          title="Share of the objective's variance that each parameter explains by itself (fANOVA)"
        >
          fANOVA
        </span>
      </div>
      {importance === null || importance.length === 0 ? (
        <p className="muted">
          {measured < 8
            ? `Known from eight trials with an objective on; there are ${measured}.`
            : importance === null
              ? 'Being computed …'
              : 'The objective does not vary.'}
        </p>
      ) : (
        <table className="sweep-bars">
          <caption className="visually-hidden">Importance of parameters to the objective</caption>
          <tbody>
            {importance.map(({ path, importance: share, trials }) => (
              <tr key={path}>
                <th scope="row" title={path}>
                  {titles.get(path) ?? path}
                </th>
                <td className="sweep-bar">
                  <span style={{ width: `${100 * share}%` }} />
                </td>
                <td className="number" title={`from ${trials} trials`}>
                  {share < 0.001 ? '< 0.001' : share.toFixed(share < 0.01 ? 3 : 2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What the trial under the pointer is, beside the pointer. */
function TrialTip({ trials, index }: { trials: TrialSet; index: number }) {
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = ({ clientX, clientY }: PointerEvent) => {
      const element = tip.current;
      if (element === null) return;
      const left = Math.min(clientX + 14, window.innerWidth - element.offsetWidth - 8);
      const below = clientY + 16;
      const top = below + element.offsetHeight > window.innerHeight ? clientY - element.offsetHeight - 10 : below;
      element.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
      element.style.visibility = 'visible';
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, []);
  const objective = trials.objectives[index]!;
  return (
    <div className="trial-tip" ref={tip} aria-hidden="true" style={{ visibility: 'hidden' }}>
      <div className="trial-tip-head">
        <b>Trial {index}</b> <span className="muted">{trials.states[index]?.toLowerCase()}</span>
      </div>
      <dl>
        <dt>{trials.objective.title}</dt>
        <dd>{Number.isNaN(objective) ? '–' : formatNumber(objective, DIGITS)}</dd>
        {trials.parameters.map(({ path, title, values }) =>
          values[index] === null || values[index] === undefined ? null : (
            <div key={path}>
              <dt>{title}</dt>
              <dd>{shortValue(values[index])}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}

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
