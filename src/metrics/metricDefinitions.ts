import type { MetricDirection } from '#src/catalog/kind.ts';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import {
  type DirectionRule,
  listMetricDefinitions,
  type MetricDefinitionRecord,
  type MetricGoal,
  putMetricDefinitions,
  type SummaryRule,
} from '#src/metrics/store/metricDefinition.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { SeriesRecord } from '#src/metrics/store/metricSeries.ts';
import { hearProgram, lockRun } from '#src/runs/externalRun.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface MetricDefinitionInput {
  name: string;
  stepMetric?: string | null | undefined;
  summary?: SummaryRule | null | undefined;
  goal?: MetricGoal | null | undefined;
}

/** Definitions that one run may have. */
const MOST_DEFINITIONS = 100;
const LONGEST_NAME = 500;
const MOST_STARS = 4;

/**
 * Keeps what the program of an external run, or of a command that is executed, says of its metrics. What it leaves open stays
 * as it was; the same call again changes nothing.
 * @returns how many definitions the run has.
 */
export async function defineMetrics(
  context: Pick<ServiceContext, 'db'>,
  input: { runId: string; definitions: readonly MetricDefinitionInput[]; attempt?: RunAttempt | undefined },
): Promise<number> {
  checkDefinitions(input.definitions);
  return await inTransaction(context.db, async (connection) => {
    const run = await hearProgram(connection, input.runId, { attempt: input.attempt });
    return await keepDefinitions(connection, run, input.definitions);
  });
}

/**
 * Corrects what a program said of its metrics, or says what it did not: also of a run that has ended. What is left open stays
 * as it was.
 * @throws WarrenError NOT_FOUND, BAD_INPUT for runs of Warren's kinds, whose metrics the catalog knows.
 */
export async function correctMetrics(
  context: Pick<ServiceContext, 'db'>,
  input: { id: string; definitions: readonly MetricDefinitionInput[] },
): Promise<RunRecord> {
  const { id, definitions } = input;
  checkDefinitions(definitions);
  return await inTransaction(context.db, async (connection) => {
    const { run, kind } = await lockRun(connection, id);
    if (kind !== 'external' && kind !== 'command') {
      throw badInput(
        `run ${run.number} is of the kind ${kind}, which declares its metrics; expected a program's run`,
        'id',
      );
    }
    await keepDefinitions(connection, run, definitions);
    const message = `Corrected ${definitions.map(({ name }) => name).join(', ')}`;
    await addRunEvents(connection, [{ runId: run.id, type: 'edited', message: shorten(message, LONGEST_NAME) }]);
    return run;
  });
}

function checkDefinitions(definitions: readonly MetricDefinitionInput[]): void {
  for (const [index, { name, stepMetric }] of definitions.entries()) {
    if (name.split('*').length > MOST_STARS + 1) {
      throw badInput(
        `definitions[${index}].name: a pattern has at most ${MOST_STARS} stars`,
        `definitions[${index}].name`,
      );
    }
    for (const [member, text] of Object.entries({ name, stepMetric: stepMetric ?? 'x' })) {
      if (text.length > 0 && text.length <= LONGEST_NAME) continue;
      const path = `definitions[${index}].${member}`;
      throw badInput(`${path}: a metric's name has 1 to ${LONGEST_NAME} characters, not ${text.length}`, path);
    }
  }
  const unique = new Map(definitions.map((one) => [one.name, one]));
  if (unique.size < definitions.length) throw badInput('definitions: one of the names comes twice', 'definitions');
}

async function keepDefinitions(
  connection: Connection,
  run: RunRecord,
  definitions: readonly MetricDefinitionInput[],
): Promise<number> {
  const rows = definitions.map(({ name, stepMetric = null, summary = null, goal = null }) => ({
    ...{ name, stepMetric, summary, goal },
  }));
  await putMetricDefinitions(connection, run.id, rows);
  const count = (await listMetricDefinitions(connection, [run.id])).length;
  if (count > MOST_DEFINITIONS) {
    const advice = 'define several at once by a pattern such as valid/*';
    throw badInput(`definitions: a run has at most ${MOST_DEFINITIONS}: ${advice}`, 'definitions');
  }
  await sendNotifications(connection, runNotifications([run]));
  return count;
}

/** The definition that holds for a metric: its own, or else the one with the longest pattern that matches. */
export function definitionFor<Definition extends { readonly name: string }>(
  definitions: readonly Definition[],
  name: string,
): Definition | null {
  const own = definitions.find((one) => one.name === name);
  if (own !== undefined) return own;
  const matching = definitions.filter((one) => one.name.includes('*') && matches(one.name, name));
  return matching.sort((a, b) => b.name.length - a.name.length)[0] ?? null;
}

/** Whether a name is one of a pattern's, in which `*` stands for any characters; time grows with their product at most. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (index === rest.length - 1) return name.length - part.length >= at && name.endsWith(part);
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at === name.length;
}

/** Which way a metric is better: as its program said, or else as it is declared. */
export function definedDirection(name: string, definition: DirectionRule | null): MetricDirection | null {
  if (definition?.goal != null) return definition.goal === 'maximize' ? 'higher' : 'lower';
  if (definition?.summary === 'max') return 'higher';
  if (definition?.summary === 'min') return 'lower';
  return metricDirection(name);
}

/**
 * Which way a metric is better by what the programs of the runs said; as it is declared where they said nothing or disagree.
 * @param ofRuns A list for each run that has definitions.
 */
export function agreedDirection(ofRuns: readonly (readonly DirectionRule[])[], name: string): MetricDirection | null {
  const told = new Set(
    ofRuns.flatMap((definitions) => {
      const definition = definitionFor(definitions, name);
      return definition === null ? [] : [definedDirection(name, definition)];
    }),
  );
  const [direction] = told;
  return told.size === 1 && direction !== undefined ? direction : metricDirection(name);
}

/**
 * The rules but `last` by which values of a metric stand for it in these runs, `best` as what it comes to. Runs without a
 * definition have none.
 * @param ofRuns A list for each run that has definitions.
 */
export function standingRules(
  ofRuns: readonly (readonly DirectionRule[])[],
  name: string,
): Exclude<SummaryRule, 'last' | 'best'>[] {
  const rules = ofRuns.flatMap((definitions) => {
    const rule = standingRule(name, definitionFor(definitions, name));
    return rule === 'last' ? [] : [rule];
  });
  return [...new Set(rules)].sort();
}

/** The rule by which a value stands for a metric, `best` as what it comes to; `last` where nobody gave one. */
export function standingRule(name: string, definition: DirectionRule | null): Exclude<SummaryRule, 'best'> {
  if (definition?.summary == null) return 'last';
  if (definition.summary !== 'best') return definition.summary;
  const direction = definedDirection(name, definition);
  return direction === null ? 'last' : direction === 'higher' ? 'max' : 'min';
}

/** The value that stands for a series by the rule of its definition; the last one where it has none. */
export function summaryValue(
  series: Pick<SeriesRecord, 'name' | 'lastValue' | 'minimum' | 'maximum'>,
  definition: MetricDefinitionRecord | null,
  mean: number | undefined,
): number {
  const { lastValue, minimum, maximum, name } = series;
  switch (standingRule(name, definition)) {
    case 'min':
      return minimum ?? lastValue;
    case 'max':
      return maximum ?? lastValue;
    case 'mean':
      return mean ?? lastValue;
    case 'last':
      return lastValue;
  }
}
