import { type FormEvent, useState } from 'react';
import { useProjects } from '#web/api/useProjects.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { showToast } from '#web/components/toasts.ts';
import type { TokenRole } from '#web/generated/graphql.ts';

const DAY_MS = 24 * 3600 * 1000;
const ROLES: readonly { role: TokenRole; title: string }[] = [
  { role: 'READ', title: 'see everything' },
  { role: 'WRITE', title: 'also queue, log and change runs' },
  { role: 'ADMIN', title: 'also make tokens, and delete for good' },
];
const SPANS = [
  { days: 30, title: '30 days' },
  { days: 90, title: '90 days' },
  { days: 365, title: 'a year' },
] as const;

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
          <label className="field">
            <span className="field-label">Name</span>
            <input
              className="input"
              required
              autoFocus
              placeholder="laptop of Ada"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
          <Choice
            label="Its bearer may"
            value={role}
            options={ROLES.filter((one) => roles.includes(one.role)).map((one) => ({
              value: one.role,
              title: one.title,
            }))}
            onChoose={(chosen) => setRole(ROLES.find((one) => one.role === chosen)?.role ?? role)}
          />
          <Choice
            label="In"
            value={project}
            options={[
              { value: '', title: everywhere },
              ...projects.map((one) => ({ value: one.name, title: one.name })),
            ]}
            onChoose={setProject}
          />
          <Choice
            label="Holds for"
            value={String(days)}
            options={[
              ...SPANS.map((span) => ({ value: String(span.days), title: span.title })),
              ...(endless ? [{ value: '0', title: 'until it is withdrawn' }] : []),
            ]}
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
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => showToast('The token is copied.'),
      () => showToast('The browser does not let pages copy: select the token.', { error: true }),
    );
  return (
    <>
      <label className="field">
        <span className="field-label">The token; it is shown this once</span>
        <input className="input mono" readOnly value={secret} onFocus={({ target }) => target.select()} />
        <span className="field-hint">
          Programs and the command line take it from <code>WARREN_TOKEN</code>, the dashboard asks for it.
        </span>
      </label>
      <div className="dialog-foot">
        <Button look="primary" autoFocus onClick={() => void copy()}>
          Copy
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; title: string }[];
  onChoose(value: string): void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <select className="input" value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}
