import { useState } from 'react';
import { useUpdateRun } from '#web/features/runs/runActions.ts';
import type { RunDetail } from './useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { showToast } from '#web/components/toasts.ts';

export interface EditableProps {
  run: RunDetail;
  editable: boolean;
}

/** The page's heading: number and name, the name to be changed in place. */
export function EditableName({ run, editable }: EditableProps) {
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
