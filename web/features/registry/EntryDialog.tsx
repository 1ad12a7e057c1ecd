import { useState } from 'react';
import { type EntryDetail, useChangeEntry } from './useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { LabelledControl } from '#web/components/LabelledControl.tsx';
import { linesOfTags, tagChanges } from './tagLines.ts';

/** Changes what is said of a model or dataset: its description and its tags. */
export function EntryDialog({ entry, onClose }: { entry: EntryDetail; onClose(): void }) {
  const [description, setDescription] = useState(entry.description);
  const [tags, setTags] = useState(linesOfTags(entry.tags));
  const [problem, setProblem] = useState<string | null>(null);
  const mutation = useChangeEntry();
  const submit = () => {
    const read = tagChanges(entry.tags, tags);
    setProblem('problem' in read ? read.problem : null);
    if ('problem' in read) return;
    const input = { name: entry.name, description, tags: read.changes };
    mutation.mutate({ change: 'describe', input }, { onSuccess: onClose });
  };
  return (
    <Dialog title={`About ${entry.name}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <LabelledControl label="Description">
          {(ties) => (
            <textarea
              {...ties}
              className="input"
              rows={5}
              value={description}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </LabelledControl>
        <LabelledControl label="Tags" hint="One a line, such as team=search." error={problem}>
          {(ties) => (
            <textarea
              {...ties}
              className="input mono"
              rows={Math.min(12, Math.max(3, tags.split('\n').length))}
              spellCheck={false}
              value={tags}
              onChange={({ target }) => setTags(target.value)}
            />
          )}
        </LabelledControl>
        {mutation.error !== null && <ErrorNotice title="Not changed." error={mutation.error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
