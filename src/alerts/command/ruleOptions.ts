import { badInput } from '#src/base/contracts/errors.ts';
import type { AlertChannelInput, AlertConditionInput, RunState } from '#src/generated/api.ts';
import { RUN_STATES } from '#src/base/contracts/runState.ts';

/** The flags of `warren alert create`. */
export interface CreateAlertOptions {
  project?: string;
  failed?: boolean;
  ended?: string;
  sweepEnded?: boolean;
  metric?: string;
  above?: string;
  below?: string;
  notFinite?: boolean;
  patience?: string;
  steps?: boolean;
  goal?: string;
  workerGone?: boolean;
  program?: boolean;
  filter?: string;
  webhook?: string[];
  slack?: string[];
  email?: string[];
  json?: boolean;
}

const KINDS = '--failed, --ended, --sweep-ended, --metric, --worker-gone and --program';

/** What a rule waits for, as the flags say it. @throws WarrenError BAD_INPUT where they say nothing, or two things. */
export function conditionOf(options: CreateAlertOptions): AlertConditionInput {
  const { failed, ended, sweepEnded, metric, above, below, notFinite, patience, workerGone, program } = options;
  const given = [failed, ended, sweepEnded, metric, workerGone, program].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const received = given.length === 0 ? 'none' : given.length;
    throw badInput(`say what the rule waits for: one of ${KINDS}, received ${received}`);
  }
  if (metric === undefined) {
    const flag = [above, below, patience].some((one) => one !== undefined) || notFinite === true;
    if (flag) throw badInput('--above, --below, --not-finite and --patience need the name of a --metric', '--metric');
  }
  if (failed === true) return { trigger: 'RUN_ENDED', states: ['FAILED', 'CRASHED'] };
  if (ended !== undefined) return { trigger: 'RUN_ENDED', states: ended.split(',').map(stateOf) };
  if (sweepEnded === true) return { trigger: 'SWEEP_ENDED' };
  if (workerGone === true) return { trigger: 'WORKER_GONE' };
  if (program === true) return { trigger: 'PROGRAM_ALERT' };
  if (patience !== undefined) {
    return {
      trigger: 'NO_IMPROVEMENT',
      metric: metric ?? null,
      patience: numberOf(patience, '--patience'),
      unit: options.steps === true ? 'STEPS' : 'VALUES',
      goal: options.goal === undefined ? null : options.goal === 'minimize' ? 'MINIMIZE' : 'MAXIMIZE',
    };
  }
  return {
    trigger: 'METRIC_VALUE',
    metric: metric ?? null,
    above: above === undefined ? null : numberOf(above, '--above'),
    below: below === undefined ? null : numberOf(below, '--below'),
    notFinite: notFinite ?? null,
  };
}

/** Where a rule sends to, as the flags say it. */
export function channelsOf({ webhook = [], slack = [], email = [] }: CreateAlertOptions): AlertChannelInput[] {
  return [
    ...webhook.map((url) => ({ webhook: url })),
    ...slack.map((url) => ({ slack: url })),
    ...email.map((address) => ({ email: address })),
  ];
}

function stateOf(text: string): RunState {
  const state = RUN_STATES.find((one) => one === text.trim().toUpperCase());
  if (state !== undefined) return state;
  throw badInput(`--ended: there is no state "${text}"; expected some of ${RUN_STATES.join(', ')}`, '--ended');
}

function numberOf(text: string, flag: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw badInput(`${flag}: expected a number, received "${text}"`, flag);
}
