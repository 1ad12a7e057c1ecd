import { type FormEvent, useState } from 'react';
import { useProjects } from '#web/features/projects/useProjects.ts';
import { Button } from '#web/components/Button.tsx';
import { copyText } from '#web/components/copyText.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import type { TokenRole } from '#web/generated/graphql.ts';

const DAY_MS = 24 * 3600 * 1000;
const ROLES: readonly (readonly [role: TokenRole, title: string])[] = [
  ['READ', 'see everything'],
  ['WRITE', 'also queue, log and change runs'],
  ['ADMIN', 'also make tokens, and delete for good'],
];
const SPANS: readonly (readonly [days: string, title: string])[] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
];

/** What a token is to be. */
export interface WantedToken {
  name: string;
  role: TokenRole;
  /** Null: in all. */
  project: string | null;
  /** Null: it holds until it is withdrawn. */
  expiresAt: string | null;
}

export interface NewTokenDialogProps {
  onClose(): void;
  /** Makes it. */
  issue: {
    mutate(wanted: WantedToken): void;
    /** Its text, once it is made. */
    data: string | undefined;
    error: Error | null;
    isPending: boolean;
  };
  /** What it may be, the least first; the first is proposed unless `WRITE` is among them. */
  roles: readonly TokenRole[];
  /** Where it works unless it is held to a project. */
  everywhere: string;
  /** Whether it may hold until it is withdrawn. */
  endless: boolean;
}

/** Makes a token, and shows its secret once. */
export function NewTokenDialog({ onClose, issue, roles, everywhere, endless }: NewTokenDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<TokenRole>(roles.includes('WRITE') ? 'WRITE' : (roles[0] ?? 'READ'));
  const [days, setDays] = useState(90);
  const [project, setProject] = useState('');
  const projects = useProjects().data ?? [];
  const { data: secret, error, isPending } = issue;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    issue.mutate({ name: name.trim(), role, expiresAt, project: project === '' ? null : project });
  };
  // one dialog for both, so that what closes it gives the focus back to what opened it
  return (
    <Dialog title={secret === undefined ? 'New token' : `Token ${name.trim()}`} onClose={onClose}>
      {secret !== undefined && <MadeToken {...{ secret, onClose }} />}
      {secret === undefined && (
        <form className="stack" onSubmit={submit}>
          <Field label="Name">
            <input
              className="input"
              required
              autoFocus
              placeholder="laptop of Ada"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </Field>
          <SelectField
            label="Its bearer may"
            value={role}
            options={ROLES.filter(([one]) => roles.includes(one))}
            hint="No token made here may queue programs (commands): an administrator makes those with warren token create --commands."
            onChoose={(chosen) => setRole(chosen)}
          />
          <SelectField
            label="In"
            value={project}
            options={[['', everywhere], ...projects.map(({ name: one }) => [one, one] as const)]}
            onChoose={setProject}
          />
          <SelectField
            label="Holds for"
            value={String(days)}
            options={endless ? [...SPANS, ['0', 'until it is withdrawn']] : SPANS}
            onChoose={(chosen) => setDays(Number(chosen))}
          />
          {error !== null && <ErrorNotice title="No token was made." error={error} />}
          <div className="dialog-foot">
            <Button type="submit" look="primary" disabled={isPending || name.trim() === ''}>
              Make token
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function MadeToken({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <>
      <Field
        label="The token; it is shown this once"
        hint={
          <>
            Programs and the command line take it from <code>WARREN_TOKEN</code>, the dashboard asks for it.
          </>
        }
      >
        <input className="input mono" readOnly value={secret} onFocus={({ target }) => target.select()} />
      </Field>
      <div className="dialog-foot">
        <Button look="primary" autoFocus onClick={() => void copyText(secret, 'The token is copied.')}>
          Copy
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}
