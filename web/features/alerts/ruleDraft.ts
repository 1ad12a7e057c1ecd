import type { SaveAlertRuleInput } from './useAlerts.ts';

/** What a rule may wait for, as the form offers it. */
export const TRIGGERS = [
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
export type Trigger = (typeof TRIGGERS)[number][0];

export const CHANNELS = [
  ['none', 'this page alone'],
  ['webhook', 'a webhook'],
  ['slack', 'Slack'],
  ['email', 'a mailbox'],
] as const;
export type Channel = (typeof CHANNELS)[number][0];

/** What stands in the form. */
export interface RuleDraft {
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

export const EMPTY_RULE: RuleDraft = {
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
export const namesMetric = (trigger: Trigger): boolean => NAMES_METRIC.has(trigger);
export const hasAmount = (trigger: Trigger): boolean => namesMetric(trigger) && trigger !== 'not-finite';
export const hasGoal = (trigger: Trigger): boolean => trigger === 'values' || trigger === 'steps';

/** The draft as the API takes it; a name is made where none is given. */
export function ruleInput(draft: RuleDraft, project: string | null): SaveAlertRuleInput {
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
