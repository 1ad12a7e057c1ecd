import { type FormEvent, useId, useState } from 'react';
import { useSaveAlertRule, type SaveAlertRuleInput } from './useAlerts.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import { showToast } from '#web/components/toasts.ts';

/** What a rule may wait for, as the form offers it. */
const TRIGGERS = [
  ['failed', 'a run fails or crashes'],
  ['ended', 'a run ends, however it does'],
  ['above', 'a metric goes above'],
  ['below', 'a metric goes below'],
  ['not-finite', 'a metric is not finite'],
  ['values', 'a metric is no better for so many values'],
  ['steps', 'a metric is no better for so many steps'],
  ['sweep', 'a sweep ends'],
  ['program', 'a program calls alert()'],
  ['worker', 'a worker is gone'],
] as const;
type Trigger = (typeof TRIGGERS)[number][0];

const CHANNELS = [
  ['none', 'this page alone'],
  ['webhook', 'a webhook'],
  ['slack', 'Slack'],
  ['email', 'a mailbox'],
] as const;
type Channel = (typeof CHANNELS)[number][0];

/** What stands in the form. */
interface RuleDraft {
  name: string;
  trigger: Trigger;
  metric: string;
  /** A value, or how many values or steps. */
  amount: string;
  goal: 'declared' | 'MINIMIZE' | 'MAXIMIZE';
  filter: string;
  channel: Channel;
  address: string;
}

const EMPTY_RULE: RuleDraft = {
  name: '',
  trigger: 'failed',
  metric: '',
  amount: '',
  goal: 'declared',
  filter: '',
  channel: 'none',
  address: '',
};

const NAMES_METRIC: ReadonlySet<Trigger> = new Set(['above', 'below', 'not-finite', 'values', 'steps']);
const namesMetric = (trigger: Trigger): boolean => NAMES_METRIC.has(trigger);
const hasAmount = (trigger: Trigger): boolean => namesMetric(trigger) && trigger !== 'not-finite';
const hasGoal = (trigger: Trigger): boolean => trigger === 'values' || trigger === 'steps';

/** The draft as the API takes it; a name is made where none is given. */
function ruleInput(draft: RuleDraft, project: string | null): SaveAlertRuleInput {
  const { trigger, channel, address } = draft;
  const words = TRIGGERS.find(([one]) => one === trigger)?.[1] ?? '';
  const what = namesMetric(trigger) ? words.replace('a metric', draft.metric) : words;
  const channels = {
    none: [],
    webhook: [{ webhook: address }],
    slack: [{ slack: address }],
    email: [{ email: address }],
  }[channel];
  return {
    name: draft.name.trim() || `${what}${hasAmount(trigger) ? ` ${draft.amount}` : ''}`,
    project,
    condition: conditionOf(draft),
    filter: draft.filter.trim(),
    channels,
  };
}

function conditionOf({ trigger, metric, amount, goal }: RuleDraft): NonNullable<SaveAlertRuleInput['condition']> {
  const number = Number(amount);
  switch (trigger) {
    case 'failed':
      return { trigger: 'RUN_ENDED', states: ['FAILED', 'CRASHED'] };
    case 'ended':
      return { trigger: 'RUN_ENDED', states: ['SUCCEEDED', 'FAILED', 'CRASHED', 'CANCELLED', 'PRUNED'] };
    case 'above':
      return { trigger: 'METRIC_VALUE', metric, above: number };
    case 'below':
      return { trigger: 'METRIC_VALUE', metric, below: number };
    case 'not-finite':
      return { trigger: 'METRIC_VALUE', metric, notFinite: true };
    case 'values':
    case 'steps': {
      const unit = trigger === 'steps' ? 'STEPS' : 'VALUES';
      return { trigger: 'NO_IMPROVEMENT', metric, patience: number, unit, goal: goal === 'declared' ? null : goal };
    }
    case 'sweep':
      return { trigger: 'SWEEP_ENDED' };
    case 'program':
      return { trigger: 'PROGRAM_ALERT' };
    case 'worker':
      return { trigger: 'WORKER_GONE' };
  }
}

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
