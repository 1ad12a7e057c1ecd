import { parseUserMetricName, type UserGrouping } from '#src/statistics/userMetricName.ts';

/** What is asked of the ranks that runs leave of each user, as it is typed. */
export interface UserQuestion {
  part: 'test' | 'valid';
  measure: Measure;
  cutoff: string;
  by: 'none' | UserGrouping;
  /** Where groups begin: `1, 5, 10`. */
  steps: string;
}

export const MEASURES = ['ndcg', 'hr', 'mrr', 'recall', 'map', 'precision', 'f1'] as const;
export type Measure = (typeof MEASURES)[number];

/** With what the groups begin; people change it. */
export const USUAL_STEPS: Readonly<Record<UserGrouping, string>> = {
  length: '1, 5, 10, 20, 50',
  popularity: '0, 5, 20, 100, 500',
};

export const START_QUESTION: UserQuestion = { part: 'test', measure: 'ndcg', cutoff: '10', by: 'none', steps: '' };

/** The API tests no more at once. */
const MOST_GROUPS = 19;

export type ReadQuestion = { names: string[] } | { message: string };

/** The names of the metrics that answer a question, the one of all users first; or what is wrong with it. */
export function readQuestion({ part, measure, cutoff, by, steps }: UserQuestion): ReadQuestion {
  if (!/^[1-9]\d{0,5}$/.test(cutoff.trim())) return { message: 'The cut-off: a whole number from 1 on.' };
  const metric = `${measure}@${cutoff.trim()}`;
  const all = `${part}/${metric}`;
  if (by === 'none') return { names: [all] };
  const starts = steps
    .split(/[\s,]+/)
    .filter((text) => text !== '')
    .map(Number);
  const ascending = starts.every((start, index) => index === 0 || start > starts[index - 1]!);
  if (starts.length === 0 || !ascending || !starts.every((start) => Number.isInteger(start) && start >= 0)) {
    return { message: 'Where groups begin: ascending whole numbers, such as 1, 5, 10.' };
  }
  if (starts.length > MOST_GROUPS) return { message: `At most ${MOST_GROUPS} groups.` };
  const groups = starts.map((start, index) => {
    const next = starts[index + 1];
    return `${part}/${by}-${start}-${next === undefined ? 'up' : next - 1}/${metric}`;
  });
  return { names: [all, ...groups] };
}

/** The question whose answer these metrics are; null where they are no such answer. */
export function questionOf(names: readonly string[]): UserQuestion | null {
  const parsed = names.map(parseUserMetricName);
  const [first] = parsed;
  if (first == null) return null;
  const [measureText, cutoff = ''] = first.metric.split('@');
  const measure = MEASURES.find((one) => one === measureText);
  if (measure === undefined) return null;
  const groups = parsed.flatMap((one) => (one?.group ? [one.group] : []));
  const by = groups[0]?.of ?? 'none';
  const question: UserQuestion = {
    part: first.part,
    measure,
    cutoff,
    by,
    steps: groups.map(({ from }) => from).join(', '),
  };
  const read = readQuestion(question);
  return 'names' in read && read.names.join() === names.join() ? question : null;
}

const GROUPED: Readonly<Record<UserGrouping, string>> = {
  length: 'known interactions',
  popularity: 'users with the target',
};

/** The users that a metric's name speaks of: `known interactions: 5 to 9`. */
export function groupLabel(name: string): string {
  const group = parseUserMetricName(name)?.group;
  if (group == null) return 'all users';
  const { of, from, to } = group;
  const range = to === Number.POSITIVE_INFINITY ? `${from} or more` : from === to ? `${from}` : `${from} to ${to}`;
  return `${GROUPED[of]}: ${range}`;
}
