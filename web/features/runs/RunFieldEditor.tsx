import { useRef, useState } from 'react';
import { useUpdateRun } from './runActions.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import type { RunRow } from './useRuns.ts';
import { showToast } from '#web/components/toasts.ts';
import type { EditedField } from './useRowEditing.ts';

export interface RunFieldEditorProps {
  run: RunRow;
  field: Exclude<EditedField, 'notes'>;
  onEnd(): void;
}

/** The name or the tags of a run as a field in its cell: Enter saves, Escape leaves them. Tags stand with commas between them. */
export function RunFieldEditor({ run, field, onEnd }: RunFieldEditorProps) {
  const before = field === 'name' ? run.name : run.tags.join(', ');
  const [draft, setDraft] = useState(before);
  const update = useUpdateRun();
  const mayWrite = useMayWrite();
  const ended = useRef(false);
  const editor = useRef<HTMLInputElement>(null);
  const end = () => {
    ended.current = true;
    // the field goes: the focus stays in its row, unless it has left already
    const row = document.activeElement === editor.current ? editor.current?.closest('tr') : null;
    row?.querySelector('input')?.focus();
    onEnd();
  };
  const save = async () => {
    if (ended.current) return;
    end();
    const text = draft.trim();
    if (text === before || (field === 'name' && text === '')) return;
    const tags = (list: string) => [...new Set(list.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
    const inputOf = (value: string) => ({
      id: run.id,
      ...(field === 'name' ? { name: value } : { tags: tags(value) }),
    });
    const saved = await update
      .mutateAsync(inputOf(text))
      .catch((error: Error) => showToast(error.message, { error: true }));
    if (saved === undefined) return;
    showToast(
      field === 'name' ? `Run ${run.number} is called ${text}.` : `The tags of run ${run.number} are changed.`,
      {
        action: { label: 'Undo', run: () => update.mutate(inputOf(before)) },
      },
    );
  };
  return (
    <input
      ref={editor}
      className="input runs-editor"
      aria-label={
        field === 'name' ? `Name of run ${run.number}` : `Tags of run ${run.number}, with commas between them`
      }
      // biome-ignore lint/a11y/noAutofocus: the cell that was just chosen became this field
      autoFocus
      readOnly={!mayWrite}
      maxLength={field === 'name' ? 200 : 5_000}
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save();
        else if (event.key === 'Escape') end();
        event.stopPropagation();
      }}
    />
  );
}
