import { Link } from '@tanstack/react-router';
import type { SweepDetail } from './useSweep.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Facts } from '#web/components/Facts.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { agentStart, agentStartInNode } from '#src/base/lib/agentStart.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { datasetText, type SweepDefinition } from './sweepDefinition.ts';
import { SweepButtons } from './SweepButtons.tsx';

/** The sweep at a glance, and what can be done with it. */
export function SweepHeader({ sweep, definition }: { sweep: SweepDetail; definition: SweepDefinition | null }) {
  const mayWrite = useMayWrite();
  return (
    <header className="stack">
      <div className="page-head">
        <h1>{sweep.name}</h1>
        <span className="muted">sweep {sweep.number}</span>
        <StateBadge state={sweep.state} />
        {sweep.reason !== '' && <span className="muted">{sweep.reason}</span>}
        <SweepButtons sweep={sweep} mayWrite={mayWrite} />
      </div>
      <Progress sweep={sweep} />
      {definition?.kind === 'external' && sweep.state === 'RUNNING' && (
        <p className="muted">
          Agents take its trials: <code>{agentStart(sweep.number, definition.agentLine)}</code> or, in Node,{' '}
          <code>{agentStartInNode(sweep.number, definition.agentLine)}</code>
        </p>
      )}
      {definition !== null && (
        <div className="sweep-facts">
          <Facts
            facts={[
              ['Kind', <code key="kind">{definition.kind}</code>],
              ['Dataset', datasetText(definition.dataset) ?? '–'],
              ...(definition.preset === null ? [] : ([['Preset', definition.preset]] as const)),
            ]}
          />
          <Facts
            facts={[
              [
                'Objective',
                definition.metric === null ? 'none' : `${definition.metric.goal} ${definition.metric.name}`,
              ],
              ['Sampler', <code key="sampler">{definition.method}</code>],
              ['Budget', budgetText(definition)],
            ]}
          />
          <Facts
            facts={[
              ['Seeds', formatSeedList(definition.seeds)],
              [
                'At once',
                definition.kind === 'external' ? 'one an agent' : `${formatCount(definition.concurrency)} trials`,
              ],
              [
                'Project',
                <Link key="project" to="/sweeps" search={{ project: sweep.project.name }}>
                  {sweep.project.name}
                </Link>,
              ],
            ]}
          />
          <Facts
            facts={[
              ['Started', <TimeText key="started" time={sweep.createdAt} />],
              ['Ended', sweep.endedAt === null ? '–' : <TimeText key="ended" time={sweep.endedAt} />],
              [
                'Runs',
                <Link key="runs" to="/runs" search={{ filter: `sweep = ${sweep.number}` }}>
                  in the table of runs
                </Link>,
              ],
            ]}
          />
        </div>
      )}
    </header>
  );
}

function Progress({ sweep }: { sweep: SweepDetail }) {
  const { total, running, planned, epochs: _, ...ended } = sweep.counts;
  const done = total - running;
  const words = [
    ...(running > 0 ? [`${formatCount(running)} under way`] : []),
    ...Object.entries(ended).flatMap(([state, count]) => (count > 0 ? [`${formatCount(count)} ${state}`] : [])),
  ];
  return (
    <div className="progress-line">
      {planned !== null && (
        <ProgressBar
          fraction={planned === 0 ? 1 : done / planned}
          label="Trials that have ended"
          look={sweep.state === 'RUNNING' ? 'running' : sweep.state === 'FINISHED' ? 'done' : 'stopped'}
        />
      )}
      <span>
        {planned === null ? `${formatCount(done)} trials` : `${formatCount(done)} of ${formatCount(planned)} trials`}
        {words.length > 0 && <span className="muted"> · {words.join(' · ')}</span>}
      </span>
    </div>
  );
}

function budgetText({ budget }: SweepDefinition): string {
  const parts = [
    ...(budget.trials === null ? [] : [`${formatCount(budget.trials)} trials`]),
    ...(budget.epochs == null ? [] : [`${formatCount(budget.epochs)} epochs`]),
    ...(budget.hours === null ? [] : [`${budget.hours} h`]),
    ...(budget.untilNothingBetterIn === null ? [] : [`until nothing better in ${budget.untilNothingBetterIn}`]),
  ];
  return parts.length === 0 ? 'no limit' : parts.join(', ');
}
