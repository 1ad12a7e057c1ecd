import { type FormEvent, useState } from 'react';
import { useUpdateRun } from '#web/features/runs/runActions.ts';
import { Button } from '#web/components/Button.tsx';
import { Icon } from '#web/components/Icon.tsx';
import { showToast } from '#web/components/toasts.ts';
import type { EditableProps } from './EditableName.tsx';

/** The run's tags: each can be removed, new ones added. */
export function EditableTags({ run, editable }: EditableProps) {
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
