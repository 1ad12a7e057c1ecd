import { metricDirection } from '#src/catalog/metricDirection.ts';
import {
  type AlertChannel,
  type AlertCondition,
  type AlertTrigger,
  ENDED_STATES,
  type EndedState,
} from '#src/base/contracts/alertRule.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';

export interface ConditionInput {
  trigger: AlertTrigger;
  /** Of RUN_ENDED; FAILED and CRASHED when left out. */
  states?: readonly string[] | null | undefined;
  metric?: string | null | undefined;
  above?: number | null | undefined;
  below?: number | null | undefined;
  notFinite?: boolean | null | undefined;
  patience?: number | null | undefined;
  /** VALUES when left out. */
  unit?: 'VALUES' | 'STEPS' | null | undefined;
  /** As the metric is declared when left out. */
  goal?: 'MINIMIZE' | 'MAXIMIZE' | null | undefined;
}

export interface ChannelInput {
  webhook?: string | null | undefined;
  slack?: string | null | undefined;
  email?: string | null | undefined;
}

export const MOST_CHANNELS = 10;
const LONGEST_NAME = 500;
const LONGEST_URL = 2_000;
/** One address: nothing that a mail server could read as several, or as a header. */
const EMAIL = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,190}$/;

/** @throws WarrenError BAD_INPUT that says what is missing or too much. */
export function checkedCondition(input: ConditionInput): AlertCondition {
  const { trigger } = input;
  switch (trigger) {
    case 'RUN_ENDED':
      return { trigger, states: checkedStates(input.states ?? ['FAILED', 'CRASHED']) };
    case 'METRIC_VALUE':
      return { trigger, metric: checkedMetric(input.metric), ...checkedBound(input) };
    case 'NO_IMPROVEMENT': {
      const metric = checkedMetric(input.metric);
      if (input.patience == null) {
        throw badInput('condition.patience: say after how many values or steps', 'condition.patience');
      }
      const patience = checkedInteger(input.patience, {
        path: 'condition.patience',
        minimum: 1,
        maximum: 2_000_000_000,
      });
      return { trigger, metric, goal: input.goal ?? declaredGoal(metric), patience, unit: input.unit ?? 'VALUES' };
    }
    case 'SWEEP_ENDED':
    case 'WORKER_GONE':
    case 'PROGRAM_ALERT':
      return { trigger };
    default:
      return assertNever(trigger);
  }
}

function checkedStates(given: readonly string[]): EndedState[] {
  const path = 'condition.states';
  if (given.length === 0) throw badInput(`${path}: expected at least one of ${ENDED_STATES.join(', ')}`, path);
  return [...new Set(given)].map((name) => {
    const state = ENDED_STATES.find((one) => one === name);
    if (state !== undefined) return state;
    throw badInput(`${path}: no run ends as ${name.slice(0, 40)}; expected some of ${ENDED_STATES.join(', ')}`, path);
  });
}

function checkedMetric(given: string | null | undefined): string {
  const name = given?.trim() ?? '';
  if (name.length > 0 && name.length <= LONGEST_NAME) return name;
  throw badInput(
    `condition.metric: a name has 1 to ${LONGEST_NAME} characters, received ${name.length}`,
    'condition.metric',
  );
}

function checkedBound({ above, below, notFinite }: ConditionInput): {
  is: 'ABOVE' | 'BELOW' | 'NOT_FINITE';
  value: number;
} {
  const given = [above != null, below != null, notFinite === true].filter(Boolean).length;
  if (given !== 1) {
    const message = `condition: give one of above, below and notFinite, received ${given === 0 ? 'none' : given}`;
    throw badInput(message, 'condition');
  }
  if (notFinite === true) return { is: 'NOT_FINITE', value: 0 };
  const value = above ?? below ?? Number.NaN;
  const path = `condition.${above == null ? 'below' : 'above'}`;
  if (!Number.isFinite(value)) throw badInput(`${path}: expected a finite number, received ${value}`, path);
  return { is: above == null ? 'BELOW' : 'ABOVE', value };
}

function declaredGoal(metric: string): 'MINIMIZE' | 'MAXIMIZE' {
  const direction = metricDirection(metric);
  if (direction !== null) return direction === 'lower' ? 'MINIMIZE' : 'MAXIMIZE';
  const message = `condition.goal: nobody has declared which way ${metric.slice(0, 100)} is better; give MINIMIZE or MAXIMIZE`;
  throw badInput(message, 'condition.goal');
}

/**
 * @param sendsMail Whether this server can send e-mail.
 * @throws WarrenError BAD_INPUT for what is no address, or too many.
 */
export function checkedChannels(given: readonly ChannelInput[], sendsMail: boolean): AlertChannel[] {
  if (given.length > MOST_CHANNELS) {
    throw badInput(`channels: at most ${MOST_CHANNELS}, received ${given.length}`, 'channels');
  }
  return given.map(({ webhook, slack, email }, place) => {
    const path = `channels[${place}]`;
    if ([webhook, slack, email].filter((one) => one != null).length !== 1) {
      throw badInput(`${path}: give one of webhook, slack and email`, path);
    }
    if (webhook != null) return { type: 'webhook', url: checkedUrl(webhook, `${path}.webhook`) };
    if (slack != null) return { type: 'slack', url: checkedUrl(slack, `${path}.slack`) };
    return { type: 'email', to: checkedEmail(email ?? '', `${path}.email`, sendsMail) };
  });
}

function checkedUrl(given: string, path: string): string {
  const text = given.trim();
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw badInput(`${path}: expected an address such as https://example.org/hook`, path);
  }
  if (url.username !== '' || url.password !== '') {
    throw badInput(`${path}: an address with a user or a password is not taken; the signature says who sends`, path);
  }
  return url.href;
}

function checkedEmail(given: string, path: string, sendsMail: boolean): string {
  const to = given.trim();
  if (!EMAIL.test(to)) throw badInput(`${path}: expected one address such as name@example.org`, path);
  if (sendsMail) return to;
  throw badInput(
    `${path}: this server sends no e-mail; an administrator sets WARREN_SMTP_URL and WARREN_SMTP_FROM`,
    path,
  );
}
