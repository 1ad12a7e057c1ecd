import { type FormEvent, useState } from 'react';
import { useProjects } from '#web/features/projects/useProjects.ts';
import { type UserRow, useGrantUser } from './useUsers.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import { type Role, ROLES, roleMeaning, roleName } from '#web/lib/roles.ts';
import { words } from './userText.ts';

const ROLE_OPTIONS = ROLES.map((role) => [role, roleMeaning(role)] as const);
type Give = (project: string, role: Role, mayQueueCommands: boolean) => void;

/** What somebody may do in which projects, given and taken away by admins beside what groups give. */
export function GrantsDialog({ user, onClose }: { user: UserRow; onClose(): void }) {
  const change = useGrantUser();
  const given = user.grants.filter(({ byGroup }) => !byGroup);
  const byGroups = user.grants.filter(({ byGroup }) => byGroup);
  const give: Give = (project, role, mayQueueCommands) =>
    change.mutate({ user: user.id, grants: [{ project, role, mayQueueCommands }], withdraw: [] });
  const setCommands = (mayQueueCommands: boolean) =>
    change.mutate({ user: user.id, grants: [], withdraw: [], mayQueueCommands });
  const withdraw = (project: string) => change.mutate({ user: user.id, grants: [], withdraw: [project] });
  return (
    <Dialog title={`Rights of ${user.label}`} onClose={onClose}>
      {user.role !== null && (
        <p>
          In all projects: {words(user.role, user.mayQueueCommands)}, by a group or as the default role. Rights in one
          project add to it.
        </p>
      )}
      {(user.mayQueueCommands || (user.role !== null && user.role !== 'READ')) && (
        <label className="check">
          <input
            type="checkbox"
            checked={user.mayQueueCommands}
            disabled={change.isPending}
            onChange={({ target }) => setCommands(target.checked)}
          />
          Commands in all projects: workers execute the person’s programs
        </label>
      )}
      {byGroups.length > 0 && (
        <p>
          By groups, which the provider changes:{' '}
          {byGroups.map((grant) => `${grant.project} ${words(grant.role, grant.mayQueueCommands)}`).join('; ')}.
        </p>
      )}
      <section className="stack" aria-label="Given by administrators">
        <p className="field-label">Given by administrators</p>
        {given.length === 0 && <p className="muted">Nothing.</p>}
        {given.map(({ project, role, mayQueueCommands }) => (
          <div className="row" key={project}>
            <span>
              {project}: {words(role, mayQueueCommands)}
            </span>
            <Button
              look="danger"
              className="spread"
              aria-label={`Withdraw ${roleName(role)} in ${project}`}
              disabled={change.isPending}
              onClick={() => withdraw(project)}
            >
              Withdraw
            </Button>
          </div>
        ))}
      </section>
      <GiveForm onGive={give} isPending={change.isPending} />
      <p className="muted">
        Rights hold at once. Only who may queue commands gives others that right; the first gets it on the server:{' '}
        <code>warren user grant … --commands</code>
      </p>
      {change.error !== null && <ErrorNotice title="Nothing was changed." error={change.error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function GiveForm({ onGive, isPending }: { onGive: Give; isPending: boolean }) {
  const { data: projects = [] } = useProjects();
  const [project, setProject] = useState('');
  const [role, setRole] = useState<Role>('READ');
  const [commands, setCommands] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onGive(project, role, commands && role !== 'READ');
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label="Project">
        <select className="input" required value={project} onChange={({ target }) => setProject(target.value)}>
          <option value="">choose one</option>
          {projects.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <SelectField label="Role" value={role} options={ROLE_OPTIONS} onChoose={(chosen) => setRole(chosen)} />
      <label className="check">
        <input
          type="checkbox"
          checked={commands && role !== 'READ'}
          disabled={role === 'READ'}
          onChange={({ target }) => setCommands(target.checked)}
        />
        Commands, too: workers execute the person’s programs
      </label>
      <Button type="submit" look="primary" disabled={isPending || project === ''}>
        Give
      </Button>
    </form>
  );
}
