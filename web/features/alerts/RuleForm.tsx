import { type FormEvent, useId, useState } from 'react';
import { useSaveAlertRule } from './useAlerts.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import { showToast } from '#web/components/toasts.ts';
import {
  CHANNELS,
  EMPTY_RULE,
  hasAmount,
  hasGoal,
  namesMetric,
  type RuleDraft,
  ruleInput,
  TRIGGERS,
} from './ruleDraft.ts';

const ADDRESSES = {
  webhook: ['Address of the webhook', 'https://example.org/hook'],
  slack: ['Address of the incoming webhook', 'https://hooks.slack.com/services/…'],
  email: ['Mailbox', 'name@example.org'],
} as const;

const GOALS = [
  ['declared', 'as declared'],
  ['MINIMIZE', 'lower'],
  ['MAXIMIZE', 'higher'],
] as const;

/** Makes a rule of the project, or for all. */
export function RuleForm({ project }: { project: string | null }) {
  const [draft, setDraft] = useState(EMPTY_RULE);
  const [secret, setSecret] = useState<string | null>(null);
  const save = useSaveAlertRule();
  const { trigger } = draft;
  const set = (change: Partial<RuleDraft>) => setDraft({ ...draft, ...change });
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
        <TriggerFields draft={draft} project={project} onDraft={set} />
        <ChannelFields draft={draft} onDraft={set} />
        <Field label="Name">
          <input
            className="input"
            maxLength={200}
            placeholder="left empty: what the rule waits for"
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

interface DraftFieldsProps {
  draft: RuleDraft;
  onDraft(change: Partial<RuleDraft>): void;
}

/** What the rule waits for, and in which runs. */
function TriggerFields({ draft, project, onDraft }: DraftFieldsProps & { project: string | null }) {
  const { data: columns } = useRunColumns(project);
  const metricList = useId();
  const { trigger } = draft;
  const counts = hasGoal(trigger);
  return (
    <>
      <SelectField
        label="When"
        value={trigger}
        options={TRIGGERS}
        onChoose={(chosen) => onDraft({ trigger: chosen })}
      />
      {namesMetric(trigger) && (
        <Field label="Metric">
          <input
            className="input mono"
            required
            list={metricList}
            value={draft.metric}
            onChange={({ target }) => onDraft({ metric: target.value })}
          />
        </Field>
      )}
      <datalist id={metricList}>
        {columns?.metrics.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {hasAmount(trigger) && (
        <Field label={counts ? 'How many' : 'Value'}>
          <input
            className="input"
            required
            type="number"
            step={counts ? 1 : 'any'}
            min={counts ? 1 : undefined}
            value={draft.amount}
            onChange={({ target }) => onDraft({ amount: target.value })}
          />
        </Field>
      )}
      {counts && (
        <SelectField label="Better is" value={draft.goal} options={GOALS} onChoose={(goal) => onDraft({ goal })} />
      )}
      {trigger !== 'worker' && (
        <Field label="Only runs that meet">
          <input
            className="input mono"
            placeholder="all"
            spellCheck={false}
            value={draft.filter}
            onChange={({ target }) => onDraft({ filter: target.value })}
          />
        </Field>
      )}
    </>
  );
}

/** Who is told. */
function ChannelFields({ draft, onDraft }: DraftFieldsProps) {
  const { channel, address } = draft;
  return (
    <>
      <SelectField
        label="Tell"
        value={channel}
        options={CHANNELS}
        onChoose={(chosen) => onDraft({ channel: chosen, address: '' })}
      />
      {channel !== 'none' && (
        <Field label={ADDRESSES[channel][0]}>
          <input
            className="input"
            required
            type={channel === 'email' ? 'email' : 'url'}
            placeholder={ADDRESSES[channel][1]}
            value={address}
            onChange={({ target }) => onDraft({ address: target.value })}
          />
        </Field>
      )}
    </>
  );
}
