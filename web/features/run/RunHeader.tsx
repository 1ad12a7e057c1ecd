import { Link } from '@tanstack/react-router';
import { tellsProgress } from '#src/base/contracts/runProgress.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import type { RunDetail } from './useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { isLive, isRetryable } from '#web/lib/runStates.ts';
import { FollowButton } from '../follow/FollowButton.tsx';
import { useRunActions } from '../shared/useRunActions.tsx';
import { ShareButton } from '../share/ShareButton.tsx';
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
      {run.state === 'RUNNING' && (tellsProgress(run) || run.progressMessage !== '') && (
        <div className="run-progress">
          <ProgressBar fraction={run.progress} label="Progress" />
          <span className="muted">{run.progressMessage}</span>
        </div>
      )}
      <div className="run-line">
        {run.configuration.kind === 'external' ? (
          <span>own program</span>
        ) : (
          <code>{`${run.configuration.kind} v${run.configuration.kindVersion}`}</code>
        )}
        {run.configuration.datasetName !== null && <span>on {run.configuration.datasetName}</span>}
        <span>seed {run.seed}</span>
        <Replicates run={run} />
        <span>
          in{' '}
          <Link to="/runs" search={{ project: run.project.name }}>
            {run.project.name}
          </Link>
        </span>
        {run.sweep !== null && (
          <span>
            {run.sweepTrial === null ? 'of' : `trial ${run.sweepTrial} of`}{' '}
            <Link to="/sweeps/$sweepId" params={{ sweepId: String(run.sweep.number) }}>
              sweep {run.sweep.number}
            </Link>
          </span>
        )}
        <EditableTags run={run} editable={mayWrite} />
        <EditableNotes run={run} editable={mayWrite} />
      </div>
    </header>
  );
}

function RunButtons({ run, mayWrite }: { run: RunDetail; mayWrite: boolean }) {
  const actions = useRunActions();
  // a program that logs by itself is started where it lives
  const isOwn = run.configuration.kind === 'external';
  return (
    <div className="row spread">
      {isLive(run.state) && <FollowButton run={run} />}
      {mayWrite && isLive(run.state) && (
        <Button
          look="danger"
          disabled={actions.pending || run.cancelRequested}
          onClick={() => actions.run('cancel', [run.id])}
        >
          Cancel run
        </Button>
      )}
      {mayWrite && !isOwn && isRetryable(run.state) && run.deletedAt === null && (
        <Button disabled={actions.pending} onClick={() => actions.run('retry', [run.id])}>
          Retry
        </Button>
      )}
      {mayWrite && !isOwn && (
        <Link className="button" to="/new" search={{ from: run.id }}>
          Run again with …
        </Link>
      )}
      {mayWrite && run.configuration.kind === 'command' && (
        <Link className="button" to="/sweeps/new" search={{ from: 'program', run: String(run.number) }}>
          Sweep over it …
        </Link>
      )}
      {mayWrite && run.deletedAt !== null && (
        <Button disabled={actions.pending} onClick={() => actions.run('restore', [run.id])}>
          Restore
        </Button>
      )}
      {mayWrite && run.deletedAt === null && !isLive(run.state) && (
        <Button disabled={actions.pending} onClick={() => actions.run('delete', [run.id])}>
          Delete
        </Button>
      )}
      <ShareButton runs={[String(run.number)]} />
      {actions.dialog}
    </div>
  );
}

/** The other runs of the configuration, and the way to compare them. */
function Replicates({ run }: { run: RunDetail }) {
  const { parameters, datasetName, runs } = run.configuration;
  const { edges, totalCount } = runs;
  // programs that say nothing of themselves have nothing in common
  const isEmpty = datasetName === null && Object.keys(Object(parameters)).length === 0;
  if (totalCount <= 1 || isEmpty) return null;
  const others = edges.map((edge) => edge.node);
  // programs of one's own often give no seed
  const isBySeed = new Set(others.map(({ seed }) => seed)).size === others.length;
  return (
    <Link to="/compare" search={{ runs: others.map((other) => other.number).join(',') }}>
      compare {totalCount} {isBySeed ? 'seeds' : 'runs of this configuration'}
    </Link>
  );
}
