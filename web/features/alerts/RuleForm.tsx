import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useSaveAlertRule } from '#web/api/useAlerts.ts';
import { useRunColumns } from '#web/api/useProjects.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { showToast } from '#web/components/toasts.ts';
import { CHANNELS, EMPTY_RULE, hasAmount, hasGoal, namesMetric, ruleInput, TRIGGERS } from './ruleDraft.ts';

const ADDRESSES = {
  webhook: ['Address of the webhook', 'https://example.org/hook'],
  slack: ['Address of the incoming webhook', 'https://hooks.slack.com/services/…'],
  email: ['Mailbox', 'name@example.org'],
} as const;

/** Makes a rule of the project, or for all. */
export function RuleForm({ project }: { project: string | null }) {
  const [draft, setDraft] = useState(EMPTY_RULE);
  const [secret, setSecret] = useState<string | null>(null);
  const save = useSaveAlertRule();
  const { data: columns } = useRunColumns(project);
  const metricList = useId();
  const { trigger, channel } = draft;
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // workers belong to no project
    save.mutate(ruleInput(draft, trigger === 'worker' ? null : project), {
      onSuccess: (saved) => {
        setDraft(EMPTY_RULE);
        setSecret(saved.secret);
        showToast(`Rule ${saved.rule.number} is made.`);
      },
    });
  };
  return (
    <section className="panel" aria-labelledby="new-rule-title">
      <div className="panel-head">
        <h2 id="new-rule-title">New rule</h2>
        <span className="muted">
          {project === null || trigger === 'worker' ? 'for all projects, by admins alone' : `for ${project}`}
        </span>
      </div>
      <form className="panel-body rule-form" onSubmit={submit}>
        <Field label="When">
          <select
            className="input"
            value={trigger}
            onChange={({ target }) => {
              const found = TRIGGERS.find(([one]) => one === target.value);
              if (found !== undefined) set({ trigger: found[0] });
            }}
          >
            {TRIGGERS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        {namesMetric(trigger) && (
          <Field label="Metric">
            <input
              className="input mono"
              required
              list={metricList}
              value={draft.metric}
              onChange={({ target }) => set({ metric: target.value })}
            />
          </Field>
        )}
        <datalist id={metricList}>
          {columns?.metrics.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {hasAmount(trigger) && (
          <Field label={hasGoal(trigger) ? 'How many' : 'Value'}>
            <input
              className="input"
              required
              type="number"
              step={hasGoal(trigger) ? 1 : 'any'}
              min={hasGoal(trigger) ? 1 : undefined}
              value={draft.amount}
              onChange={({ target }) => set({ amount: target.value })}
            />
          </Field>
        )}
        {hasGoal(trigger) && (
          <Field label="Better is">
            <select
              className="input"
              value={draft.goal}
              onChange={({ target: { value } }) =>
                set({ goal: value === 'MINIMIZE' || value === 'MAXIMIZE' ? value : 'declared' })
              }
            >
              <option value="declared">as declared</option>
              <option value="MINIMIZE">lower</option>
              <option value="MAXIMIZE">higher</option>
            </select>
          </Field>
        )}
        {trigger !== 'worker' && (
          <Field label="Only runs that meet">
            <input
              className="input mono"
              placeholder="all"
              spellCheck={false}
              value={draft.filter}
              onChange={({ target }) => set({ filter: target.value })}
            />
          </Field>
        )}
        <Field label="Tell">
          <select
            className="input"
            value={channel}
            onChange={({ target }) => {
              const found = CHANNELS.find(([one]) => one === target.value);
              if (found !== undefined) set({ channel: found[0], address: '' });
            }}
          >
            {CHANNELS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        {channel !== 'none' && (
          <Field label={ADDRESSES[channel][0]}>
            <input
              className="input"
              required
              type={channel === 'email' ? 'email' : 'url'}
              placeholder={ADDRESSES[channel][1]}
              value={draft.address}
              onChange={({ target }) => set({ address: target.value })}
            />
          </Field>
        )}
        <Field label="Name">
          <input
            className="input"
            maxLength={200}
            placeholder="as it waits for"
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </Field>
        <Button look="primary" type="submit" disabled={save.isPending}>
          Make rule
        </Button>
      </form>
      {save.error !== null && <ErrorNotice title="The rule was not made." error={save.error} />}
      {secret !== null && (
        <p className="panel-body" role="status">
          Secret of its signatures, shown this once: <code className="rule-secret">{secret}</code>
        </p>
      )}
    </section>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className="field">
      <span className="field-label">{label}</span>
      {children}
    </label>
  );
}
