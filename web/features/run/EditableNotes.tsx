import { useState } from 'react';
import { useUpdateRun } from '#web/features/runs/runActions.ts';
import { Button } from '#web/components/Button.tsx';
import { showToast } from '#web/components/toasts.ts';
import type { EditableProps } from './EditableName.tsx';

/** Free text about the run. */
export function EditableNotes({ run, editable }: EditableProps) {
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
