import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMayWrite } from '#web/api/useServer.ts';
import type { RunDetail } from '#web/api/useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { DurationText } from '#web/components/DurationText.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { formatDuration } from '#web/lib/formatDuration.ts';
import { isLive, isRetryable } from '#web/lib/runStates.ts';
import { useRunActions } from '../shared/useRunActions.tsx';
import { EditableName } from './EditableName.tsx';
import { EditableNotes } from './EditableNotes.tsx';
import { EditableTags } from './EditableTags.tsx';

/** The run at a glance, and what can be done with it. */
export function RunHeader({ run }: { run: RunDetail }) {
  const mayWrite = useMayWrite();
  return (
    <header className="run-head">
      <div className="page-head">
        <EditableName run={run} editable={mayWrite} />
        <StateBadge state={run.state} cancelling={run.cancelRequested && run.state === 'RUNNING'} />
        {run.deletedAt !== null && <span className="tag">in the trash</span>}
        <RunButtons run={run} mayWrite={mayWrite} />
      </div>
      {run.state === 'RUNNING' && tellsProgress(run) && (
        <div className="run-progress">
          <ProgressBar fraction={run.progress} label="Progress" />
          <span className="muted">{run.progressMessage}</span>
        </div>
      )}
      <div className="run-facts">
        <Facts
          facts={[
            ['Kind', <code key="kind">{`${run.configuration.kind} v${run.configuration.kindVersion}`}</code>],
            ['Dataset', run.configuration.datasetName ?? '–'],
            ['Seed', run.seed],
            ['Replicates', <Replicates key="replicates" run={run} />],
          ]}
        />
        <Facts
          facts={[
            [
              'Project',
              <Link key="project" to="/" search={{ project: run.project.name }}>
                {run.project.name}
              </Link>,
            ],
            ...executorFacts(run),
            ...lineageFacts(run),
          ]}
        />
        <Facts
          facts={[
            ['Queued', <TimeText key="queued" time={run.createdAt} />],
            ['Started', run.startedAt === null ? '–' : <TimeText key="started" time={run.startedAt} />],
            ['Ended', run.endedAt === null ? '–' : <TimeText key="ended" time={run.endedAt} />],
            ['Took', <DurationText key="took" startedAt={run.startedAt} endedAt={run.endedAt} />],
          ]}
        />
        <div className="stack run-notes">
          <EditableTags run={run} editable={mayWrite} />
          <EditableNotes run={run} editable={mayWrite} />
        </div>
      </div>
    </header>
  );
}

/** Who executes the run: a worker, or a program of the user's own, of which something must be heard now and then. */
function executorFacts(run: RunDetail): readonly [string, ReactNode][] {
  if (run.leaseSeconds === null || run.lastHeardAt === null) {
    return [
      ['Worker', run.worker?.name || run.attempts.at(-1)?.workerName || '–'],
      ['Attempt', `${run.attempt} of ${run.maxAttempts}`],
      ['Priority', run.priority],
    ];
  }
  return [
    ['Executed by', 'its own program'],
    ['Attempt', run.attempt],
    ['Last heard', <TimeText key="heard" time={run.lastHeardAt} />],
    ['Counts as crashed', `after ${formatDuration(run.leaseSeconds * 1000)} of silence`],
  ];
}

/** From which run it branched off, and which branched off from it. */
function lineageFacts({ forkedFrom, forkStep, forks }: RunDetail): readonly [string, ReactNode][] {
  const link = ({ id, number }: { id: string; number: number }) => (
    <Link key={id} to="/runs/$runId" params={{ runId: id }}>
      #{number}
    </Link>
  );
  const parent: [string, ReactNode][] =
    forkedFrom === null
      ? []
      : [
          [
            'Forked from',
            <span key="parent">
              {link(forkedFrom)}, after step {formatCount(Number(forkStep))}
            </span>,
          ],
        ];
  if (forks.length === 0) return parent;
  return [
    ...parent,
    ['Forks', <span key="forks">{forks.flatMap((fork, index) => [index > 0 && ', ', link(fork)])}</span>],
  ];
}

/** A program of the user's own need not tell how far it is. */
function tellsProgress(run: RunDetail): boolean {
  return run.configuration.kind !== 'external' || run.progress > 0 || run.progressMessage !== '';
}

function RunButtons({ run, mayWrite }: { run: RunDetail; mayWrite: boolean }) {
  const actions = useRunActions();
  const blocked = !mayWrite || actions.pending;
  return (
    <div className="row spread">
      {isLive(run.state) && (
        <Button look="danger" disabled={blocked || run.cancelRequested} onClick={() => actions.run('cancel', [run.id])}>
          Cancel run
        </Button>
      )}
      {isRetryable(run.state) && run.deletedAt === null && (
        <Button disabled={blocked} onClick={() => actions.run('retry', [run.id])}>
          Retry
        </Button>
      )}
      {run.configuration.kind !== 'external' && (
        <Link className="button" to="/new" search={{ from: run.id }}>
          Run again …
        </Link>
      )}
      {run.deletedAt !== null ? (
        <Button disabled={blocked} onClick={() => actions.run('restore', [run.id])}>
          Restore
        </Button>
      ) : (
        !isLive(run.state) && (
          <Button disabled={blocked} onClick={() => actions.run('delete', [run.id])}>
            Delete
          </Button>
        )
      )}
      {actions.dialog}
    </div>
  );
}

/** The other runs of the configuration, and the way to compare them. */
function Replicates({ run }: { run: RunDetail }) {
  const { edges, totalCount } = run.configuration.runs;
  if (totalCount <= 1) return <>none</>;
  const others = edges.map((edge) => edge.node);
  return (
    <>
      {totalCount} with this configuration,{' '}
      <Link to="/compare" search={{ runs: others.map((other) => other.number).join(',') }}>
        compare
      </Link>
    </>
  );
}
