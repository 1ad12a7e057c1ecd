import { type ReactNode, useState } from 'react';
import { type RunAction, type RunOutcome, useRunAction, useUndelete } from '#web/features/runs/runActions.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { showToast } from '#web/components/toasts.ts';

const DONE: Record<RunAction, string> = {
  cancel: 'cancelled',
  retry: 'queued again',
  delete: 'moved to the trash',
  restore: 'restored',
};
/** More reasons than this are only counted. */
const MOST_REASONS = 5;

export interface RunActions {
  pending: boolean;
  run(action: RunAction, ids: string[]): void;
  /** The question before runs go to the trash; to be rendered by the caller. */
  dialog: ReactNode;
}

/** Actions on runs: asks before deleting, and tells what was done and what was not, and why. */
export function useRunActions(onDone?: (action: RunAction) => void): RunActions {
  const mutation = useRunAction();
  const undelete = useUndelete();
  const [asked, setAsked] = useState<string[] | null>(null);
  const execute = async (action: RunAction, ids: string[]) => {
    // not a callback of `mutate`: none is called once what shows the run is gone
    const outcomes = await mutation
      .mutateAsync({ action, ids })
      .catch((error: Error) => showToast(error.message, { error: true }));
    if (outcomes === undefined) return;
    report(action, outcomes, (done) => undelete.mutate(done));
    onDone?.(action);
  };
  const dialog = asked !== null && (
    <Dialog
      title={asked.length === 1 ? 'Delete this run?' : `Delete ${asked.length} runs?`}
      onClose={() => setAsked(null)}
    >
      <p>Runs move to the trash, from which they can be restored. Runs that have not ended stay as they are.</p>
      <div className="dialog-foot">
        <Button onClick={() => setAsked(null)}>Keep</Button>
        <Button
          look="danger"
          onClick={() => {
            setAsked(null);
            void execute('delete', asked);
          }}
        >
          Delete
        </Button>
      </div>
    </Dialog>
  );
  return {
    pending: mutation.isPending,
    run: (action, ids) => (action === 'delete' ? setAsked(ids) : void execute(action, ids)),
    dialog,
  };
}

function report(action: RunAction, outcomes: readonly RunOutcome[], undelete: (ids: string[]) => void): void {
  const doneIds = outcomes.flatMap((outcome) => (outcome.done ? [outcome.id] : []));
  const done = doneIds.length;
  const undo = action === 'delete' ? { label: 'Undo', run: () => undelete(doneIds) } : null;
  const refused = outcomes.filter((outcome) => !outcome.done);
  if (done > 0) showToast(`${done === 1 ? '1 run' : `${done} runs`} ${DONE[action]}.`, { action: undo });
  if (refused.length === 0) return;
  const reasons = refused
    .slice(0, MOST_REASONS)
    .map(({ id, message, run }) => `${run === null ? id : `#${run.number}`}: ${message ?? 'refused'}`);
  if (refused.length > MOST_REASONS) reasons.push(`and ${refused.length - MOST_REASONS} more`);
  showToast(`Not ${DONE[action]}:\n${reasons.join('\n')}`, { error: true });
}
