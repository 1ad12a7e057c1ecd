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
import { useState, type FormEvent } from 'react';
import { useUpdateRun } from '#web/features/runs/runActions.ts';
import { showToast } from '#web/components/toasts.ts';
import { Icon } from '#web/components/Icon.tsx';

interface EditableProps {
  run: RunDetail;
  editable: boolean;
}

/** The page's heading: number and name, the name to be changed in place. */
function EditableName({ run, editable }: EditableProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const update = useUpdateRun();
  if (draft === null) {
    return (
      <>
        <h1>
          <span className="muted">#{run.number}</span> {run.name}
        </h1>
        {editable && (
          <Button look="quiet" onClick={() => setDraft(run.name)}>
            Rename
          </Button>
        )}
      </>
    );
  }
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate(
          { id: run.id, name: draft.trim() },
          { onSuccess: () => setDraft(null), onError: (error) => showToast(error.message, { error: true }) },
        );
      }}
    >
      <h1 className="visually-hidden">
        #{run.number} {run.name}
      </h1>
      <input
        className="input run-name-input"
        aria-label="Name"
        // biome-ignore lint/a11y/noAutofocus: the button that was just pressed became this field
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
      />
      <Button type="submit" look="primary" disabled={draft.trim() === '' || update.isPending}>
        Save
      </Button>
      <Button onClick={() => setDraft(null)}>Keep</Button>
    </form>
  );
}

/** The run's tags: each can be removed, new ones added. */
function EditableTags({ run, editable }: EditableProps) {
  const [draft, setDraft] = useState('');
  const update = useUpdateRun();
  const save = (tags: string[]) =>
    update.mutate(
      { id: run.id, tags },
      { onSuccess: () => setDraft(''), onError: (error) => showToast(error.message, { error: true }) },
    );
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = draft.trim();
    if (tag !== '') save([...new Set([...run.tags, tag])]);
  };
  return (
    <div className="row">
      <ul className="run-tags" aria-label="Tags">
        {run.tags.map((tag) => (
          <li className="tag" key={tag}>
            {tag}
            {editable && (
              <button
                type="button"
                className="tag-remove"
                aria-label={`Remove tag ${tag}`}
                onClick={() => save(run.tags.filter((other) => other !== tag))}
              >
                <Icon name="close" size={9} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {editable && (
        <form className="row" onSubmit={add}>
          <input
            className="input run-tag-input"
            aria-label="New tag"
            placeholder="tag"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button type="submit" disabled={draft.trim() === '' || update.isPending}>
            Add tag
          </Button>
        </form>
      )}
    </div>
  );
}

/** Free text about the run. */
function EditableNotes({ run, editable }: EditableProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const update = useUpdateRun();
  if (draft === null) {
    return (
      <div className="run-notes-text">
        {run.notes !== '' && <p>{run.notes}</p>}
        {editable && (
          <Button look="quiet" onClick={() => setDraft(run.notes)}>
            {run.notes === '' ? 'Add notes' : 'Edit notes'}
          </Button>
        )}
      </div>
    );
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate(
          { id: run.id, notes: draft },
          { onSuccess: () => setDraft(null), onError: (error) => showToast(error.message, { error: true }) },
        );
      }}
    >
      <textarea
        className="input"
        aria-label="Notes"
        rows={3}
        // biome-ignore lint/a11y/noAutofocus: the button that was just pressed became this field
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="row">
        <Button type="submit" look="primary" disabled={update.isPending}>
          Save notes
        </Button>
        <Button onClick={() => setDraft(null)}>Keep</Button>
      </div>
    </form>
  );
}

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
