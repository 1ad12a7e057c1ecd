import { type FormEvent, useState } from 'react';
import { type ListedProject, useEditProject, useMakeProject } from './useProjectList.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { showToast } from '#web/components/toasts.ts';

/** Makes a project (null), or renames one and says what it is about. */
export function ProjectDialog({ project, onClose }: { project: ListedProject | null; onClose(): void }) {
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const make = useMakeProject();
  const edit = useEditProject();
  const { error, isPending } = project === null ? make : edit;
  const wanted = name.trim();
  const isRenamed = project !== null && wanted !== project.name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      showToast(`${wanted} is ${project === null ? 'made' : 'saved'}.`);
      onClose();
    };
    if (project === null) make.mutate({ name: wanted, description }, { onSuccess });
    else edit.mutate({ project: project.name, description, ...(isRenamed && { name: wanted }) }, { onSuccess });
  };
  return (
    <Dialog title={project === null ? 'New project' : `Project ${project.name}`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" hint={isRenamed ? 'Programs that name the old name make a new project.' : undefined}>
          <input className="input" required autoFocus value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="What it is about">
          <textarea
            className="input"
            rows={3}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        {error !== null && <ErrorNotice title="Nothing was saved." error={error} />}
        <div className="dialog-foot">
          <Button type="submit" look="primary" disabled={isPending || wanted === ''}>
            {project === null ? 'Make project' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
