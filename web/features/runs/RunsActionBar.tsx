import { MOST_PINNED_RUNS } from '#src/base/contracts/pinnedRuns.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import type { RunRow } from './useRuns.ts';
import { Button } from '#web/components/Button.tsx';
import { isLive, isRetryable } from '#web/lib/runStates.ts';
import { useRunActions } from '../shared/useRunActions.tsx';
import type { RowSelection } from './useRowSelection.ts';

export interface RunsActionBarProps {
  /** Runs that are loaded, for what is known of the selected ones. */
  runs: readonly RunRow[];
  selection: RowSelection;
  inTrash: boolean;
  onCompare(): void;
  /** Numbers of the runs that stand above all others. */
  pins: readonly number[];
  /** Pins runs, or takes their pins away where all of them have one. */
  onPin(numbers: readonly number[]): void;
}

/** What can be done with the selected runs; who only reads compares them. */
export function RunsActionBar({ runs, selection, inTrash, onCompare, pins, onPin }: RunsActionBarProps) {
  const mayWrite = useMayWrite();
  const actions = useRunActions((action) => {
    if (action === 'delete' || action === 'restore') selection.set([]);
  });
  const ids = [...selection.selected];
  const known = runs.filter((run) => selection.selected.has(run.id));
  const unknown = ids.length > known.length;
  const some = (test: (run: RunRow) => boolean) => !actions.pending && (unknown || known.some(test));
  return (
    <div className="row runs-actions" role="toolbar" aria-label="Actions on selected runs">
      <span className={ids.length === 0 ? 'muted' : undefined} aria-live="polite">
        {ids.length === 0 ? 'None selected' : `${ids.length} selected`}
      </span>
      <Button disabled={ids.length < 1} aria-keyshortcuts="c" title="c in the rows does so, too" onClick={onCompare}>
        Compare
      </Button>
      {!inTrash && known.length > 0 && (
        <Button
          title={`${MOST_PINNED_RUNS} runs at most stand above all others, whatever the filter says`}
          onClick={() => onPin(known.map((run) => run.number))}
        >
          {known.every((run) => pins.includes(run.number)) ? 'Unpin' : 'Pin to the top'}
        </Button>
      )}
      {mayWrite && inTrash && (
        <Button disabled={!some((run) => run.deletedAt !== null)} onClick={() => actions.run('restore', ids)}>
          Restore
        </Button>
      )}
      {mayWrite && !inTrash && (
        <>
          <Button disabled={!some((run) => isLive(run.state))} onClick={() => actions.run('cancel', ids)}>
            Cancel
          </Button>
          <Button disabled={!some((run) => isRetryable(run.state))} onClick={() => actions.run('retry', ids)}>
            Retry
          </Button>
          <Button disabled={!some((run) => !isLive(run.state))} onClick={() => actions.run('delete', ids)}>
            Delete
          </Button>
        </>
      )}
      {ids.length > 0 && (
        <Button look="quiet" onClick={() => selection.set([])}>
          Select none
        </Button>
      )}
      {actions.dialog}
    </div>
  );
}
