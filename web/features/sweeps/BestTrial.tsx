import { Link } from '@tanstack/react-router';
import { NO_CONFIRMATIONS, type SweepDetail, useSweepConfirmations } from './useSweep.ts';
import { formatMeanDeviation } from '#web/lib/formatMeanDeviation.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { agentStart, agentStartInNode } from '#src/base/lib/agentStart.ts';
import { confirmedValues } from '#src/base/lib/confirmedValues.ts';
import { isLive } from '#web/lib/runStates.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import type { SweepDefinition } from './sweepDefinition.ts';
import { DIGITS } from '#web/lib/valueAxis.ts';
import { trialLabel } from './trialLabel.ts';
import type { TrialSet } from './trialSet.ts';

/** The best trial in words, and what fresh seeds say of it. */
export function BestTrial({
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
