import { useState } from 'react';
import { useChangeRuns, useUndelete } from './runActions.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

export interface MatchingRunsProps {
  project: string | null;
  filter: string;
  inTrash: boolean;
  /** How many runs match. */
  totalCount: number;
}

const CHOICES = [
  { value: 'addTag', label: 'Add a tag', done: 'tagged', asks: 'Tag' },
  { value: 'removeTag', label: 'Remove a tag', done: 'changed', asks: 'Tag' },
  { value: 'move', label: 'Move to a project', done: 'moved', asks: 'Project' },
  { value: 'rename', label: 'Rename', done: 'renamed', asks: 'New name of all' },
  { value: 'note', label: 'Add to the notes', done: 'changed', asks: 'Paragraph at the end of the notes' },
  { value: 'cancel', label: 'Cancel', done: 'cancelled', asks: null },
  { value: 'retry', label: 'Retry', done: 'queued again', asks: null },
  { value: 'delete', label: 'Delete', done: 'moved to the trash', asks: null },
] as const;
/** Characters at most, where other than 100. */
const LONGEST: Readonly<Record<string, number>> = { rename: 200, note: 10_000 };
const RESTORE = { value: 'restore', label: 'Restore', done: 'restored', asks: null } as const;
type Choice = (typeof CHOICES)[number] | typeof RESTORE;

/** A button that opens what can be done with all runs that match, shown or not. */
export function MatchingRuns(props: MatchingRunsProps) {
  const [open, setOpen] = useState(false);
  if (!useMayWrite()) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Change all…
      </Button>
      {open && <MatchingRunsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function MatchingRunsDialog({
  project,
  filter,
  inTrash,
  totalCount,
  onClose,
}: MatchingRunsProps & { onClose(): void }) {
  const choices: readonly Choice[] = inTrash ? [RESTORE] : CHOICES;
  const [choice, setChoice] = useState<Choice>(choices[0]!);
  const [text, setText] = useState('');
  // the number that the reader confirms is the one that the dialog was opened with
  const [expected] = useState(totalCount);
  const change = useChangeRuns();
  const undelete = useUndelete();
  const runs = expected === 1 ? '1 run' : `${formatCount(expected)} runs`;
  const submit = async () => {
    // not a callback of `mutate`: none is called once the table is empty and the dialog with it gone
    const outcome = await change
      .mutateAsync({ project, filter, inTrash, expected, ...inputOf(choice, text.trim()) })
      .catch(() => null);
    if (outcome === null) return;
    const { changedIds, refused, refusedCount } = outcome;
    const done = changedIds.length === 1 ? '1 run' : `${formatCount(changedIds.length)} runs`;
    const undo = choice.value === 'delete' ? { label: 'Undo', run: () => undelete.mutate(changedIds) } : null;
    if (changedIds.length > 0) showToast(`${done} ${choice.done}.`, { action: undo });
    const reason = refused[0]?.message ?? '';
    if (refusedCount > 0) showToast(`${formatCount(refusedCount)} not ${choice.done}: ${reason}`, { error: true });
    onClose();
  };
  return (
    <Dialog title={`Change all ${runs} that match`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="muted">
          {filter === '' ? 'No filter: all runs' : <code>{filter}</code>}
          {project !== null && ` of the project ${project}`}
        </p>
        <SelectField
          label="What"
          value={choice.value}
          options={choices.map(({ value, label }) => [value, label] as const)}
          onChoose={(chosen) => setChoice(choices.find(({ value }) => value === chosen) ?? choice)}
        />
        {choice.asks !== null && (
          <Field label={choice.asks}>
            <input
              className="input"
              required
              maxLength={LONGEST[choice.value] ?? 100}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </Field>
        )}
        {change.error !== null && <ErrorNotice title="Nothing more was changed." error={change.error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Keep as they are</Button>
          <Button look={choice.value === 'delete' ? 'danger' : 'primary'} type="submit" disabled={change.isPending}>
            {`${choice.label}: ${runs}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function inputOf({ value }: Choice, text: string) {
  switch (value) {
    case 'addTag':
      return { action: 'TAG' as const, addTags: [text] };
    case 'removeTag':
      return { action: 'TAG' as const, removeTags: [text] };
    case 'move':
      return { action: 'MOVE' as const, toProject: text };
    case 'rename':
      return { action: 'EDIT' as const, name: text };
    case 'note':
      return { action: 'EDIT' as const, addNote: text };
    case 'cancel':
      return { action: 'CANCEL' as const };
    case 'retry':
      return { action: 'RETRY' as const };
    case 'delete':
      return { action: 'DELETE' as const };
    case 'restore':
      return { action: 'RESTORE' as const };
  }
}
