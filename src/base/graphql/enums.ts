import { registerEnumType } from 'type-graphql';
import type { RunState as RunStateName } from '#src/base/contracts/runState.ts';

type NamesOf<Name extends string> = { readonly [Key in Name]: Key };

/**
 * An enum object for the decorators: what travels inside is the name itself.
 * @param descriptions What each value means, by its name, in the order in which they are shown.
 */
export function describedEnum<Name extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Name, string>>,
): NamesOf<Name> {
  const names = Object.keys(descriptions) as Name[];
  const values = Object.fromEntries(names.map((value) => [value, value])) as NamesOf<Name>;
  const valuesConfig = Object.fromEntries(names.map((value) => [value, { description: descriptions[value] }]));
  registerEnumType(values, { name, description, valuesConfig: valuesConfig as Record<Name, { description: string }> });
  return values;
}

export const RunState: NamesOf<RunStateName> = describedEnum('RunState', 'How far a run is.', {
  WAITING: "It waits for other runs' artifacts.",
  QUEUED: 'It waits for a worker.',
  RUNNING: 'A worker, or a program, executes it.',
  SUCCEEDED: 'It ended as it should.',
  FAILED: 'It ended with an error.',
  CANCELLED: 'Somebody ended it.',
  CRASHED: 'Its program is not heard of any more; when it is, the run goes on.',
  PRUNED: 'Its sweep stopped it early; a retry continues it.',
});

export const AttemptState = describedEnum('AttemptState', 'How far an attempt is.', {
  RUNNING: 'It is executed.',
  SUCCEEDED: 'It ended as it should.',
  FAILED: 'It ended with an error.',
  CANCELLED: 'Somebody ended it.',
  LOST: 'Its worker, or its program, was not heard of any more.',
  PRUNED: 'Its sweep stopped it early.',
});

export const LogLevel = describedEnum('LogLevel', 'How serious a line of a log is.', {
  debug: 'For those who look for a fault.',
  info: 'What happens.',
  warn: 'Something that is probably not meant so.',
  error: 'Something that went wrong.',
});

export const MetricDirection = describedEnum('MetricDirection', 'Which way a metric is better.', {
  higher: 'More is better.',
  lower: 'Less is better.',
});

export const TestMethod = describedEnum('TestMethod', 'Which t-test of a difference.', {
  paired: "Student's t-test of pairs.",
  welch: "Welch's t-test of two samples.",
  crossed: 'A mixed model of seeds and users: about other seeds and other users at once.',
});

export const RunsAction = describedEnum('RunsAction', 'What is done with many runs.', {
  CANCEL: 'Queued ones end at once, running ones are stopped.',
  RETRY: 'Failed, cancelled and pruned ones go back to the queue.',
  DELETE: 'They move to the trash; queued ones are cancelled before.',
  RESTORE: 'They come back out of the trash.',
  TAG: 'Tags are added and taken away.',
  MOVE: 'They move to another project.',
  EDIT: 'They get a name, or a paragraph in their notes.',
});

export const SortDirection = describedEnum('SortDirection', 'Which way an order goes.', {
  ASC: 'The smallest, or the oldest, first.',
  DESC: 'The largest, or the newest, first.',
});

export const ViewLayout = describedEnum('ViewLayout', 'What a view shows of runs.', {
  TABLE: 'The table alone.',
  SPLIT: 'The table, and beside it the curves of what it shows.',
  CURVES: 'The curves alone.',
});

export const TokenRole = describedEnum('TokenRole', 'What the bearer of a token may do, in every project.', {
  READ: 'See everything.',
  WRITE: 'Also queue, log and change runs.',
  ADMIN: 'Also make and revoke tokens, and delete runs for good.',
});

export const SummaryRule = describedEnum('SummaryRule', 'Which value stands for a series.', {
  min: 'The smallest.',
  max: 'The largest.',
  last: 'The one at the greatest step.',
  mean: 'The mean of all.',
  best: 'The smallest or the largest, by the direction of the metric; the last where that is not known.',
});

export const MetricGoal = describedEnum('MetricGoal', 'What is wanted of a metric.', {
  minimize: 'Less is better.',
  maximize: 'More is better.',
});

export const GroupValue = describedEnum('GroupValue', 'Which value of each run a group is summed up over.', {
  LAST: 'The value that stands for the metric: the one at the greatest step, unless the program gave a rule.',
  BEST: 'The best finite value, by the direction of the metric.',
});

export const RunGroupOrderBy = describedEnum('RunGroupOrderBy', 'What groups of runs are ordered by.', {
  runs: 'How many runs they have.',
  group: 'The values that they share: missing ones, texts, numbers.',
  n: 'How many runs have the metric.',
  mean: 'The mean of the metric.',
  standardDeviation: 'Its sample standard deviation.',
  standardError: 'The standard error of its mean.',
  low: 'The lower end of the 95 % interval of its mean.',
  high: 'The upper end of the 95 % interval of its mean.',
  minimum: 'Its least value.',
  maximum: 'Its greatest value.',
});

export const Verdict = describedEnum('Verdict', 'What a test shows at the level 0.05.', {
  better: 'Better than the baseline.',
  worse: 'Worse than the baseline.',
  different: 'Different from the baseline, where nobody told which way is better.',
  modelsDiffer: 'These two trained models differ; of the methods nothing is said with fewer than three seeds of each.',
  undecided: 'The runs do not show a difference.',
});

export const TestedOf = describedEnum('TestedOf', 'What a test speaks of.', {
  methods: 'The methods: other seeds are counted in, or nothing is drawn at random.',
  models: 'These trained models alone: a method has fewer than three seeds.',
});
