import { useId, useState } from 'react';
import { type EntryDetail, useChangeEntry } from '#web/api/useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { linesOfTags, tagChanges } from './tagLines.ts';

/** Changes what is said of a model or dataset: its description and its tags. */
export function EntryDialog({ entry, onClose }: { entry: EntryDetail; onClose(): void }) {
  const id = useId();
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
        <div className="field">
          <label className="field-label" htmlFor={`${id}-description`}>
            Description
          </label>
          <textarea
            className="input"
            id={`${id}-description`}
            rows={5}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </div>
        <div className="field">
          <label className="field-label" htmlFor={`${id}-tags`}>
            Tags
          </label>
          <textarea
            className="input mono"
            id={`${id}-tags`}
            rows={Math.min(12, Math.max(3, tags.split('\n').length))}
            spellCheck={false}
            aria-invalid={problem !== null}
            aria-describedby={`${id}-hint${problem === null ? '' : ` ${id}-error`}`}
            value={tags}
            onChange={({ target }) => setTags(target.value)}
          />
          <span className="field-hint" id={`${id}-hint`}>
            One a line, such as team=search.
          </span>
          {problem !== null && (
            <span className="field-error" id={`${id}-error`}>
              {problem}
            </span>
          )}
        </div>
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
