import { useState } from 'react';
import { useUpdateRun } from './runActions.ts';
import type { RunRow } from './useRuns.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { showToast } from '#web/components/toasts.ts';

export interface RunNotesEditorProps {
  run: RunRow;
  onEnd(): void;
}

/** The notes of a run in a dialog: they may have many lines, which a cell has not. */
export function RunNotesEditor({ run, onEnd }: RunNotesEditorProps) {
  return (
    <Dialog title={`Notes of run ${run.number}`} onClose={onEnd}>
      {run.notes === undefined ? (
        <Loading what="notes" lines={2} />
      ) : (
        <NotesForm {...{ run, onEnd }} notes={run.notes} />
      )}
    </Dialog>
  );
}

/** Shown once the notes are read: an empty field would write over them. */
function NotesForm({ run, notes, onEnd }: RunNotesEditorProps & { notes: string }) {
  const [before] = useState(notes);
  const [draft, setDraft] = useState(before);
  const update = useUpdateRun();
  const save = async () => {
    if (draft !== before) {
      const saved = await update.mutateAsync({ id: run.id, notes: draft }).catch(() => null);
      if (saved === null) return;
      const undo = { label: 'Undo', run: () => update.mutate({ id: run.id, notes: before }) };
      showToast(`The notes of run ${run.number} are changed.`, { action: undo });
    }
    onEnd();
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        className="input"
        aria-label="Notes"
        rows={8}
        maxLength={100_000}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          // keys of the table's rows
          event.stopPropagation();
        }}
      />
      {update.error !== null && <ErrorNotice title="The notes were not changed." error={update.error} />}
      <div className="dialog-foot">
        <Button onClick={onEnd}>Keep as they are</Button>
        <Button type="submit" look="primary" disabled={update.isPending}>
          Save notes
        </Button>
      </div>
    </form>
  );
}
