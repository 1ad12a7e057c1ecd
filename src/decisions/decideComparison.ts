import { badInput } from '#src/base/contracts/errors.ts';
import { nearNames } from '#src/base/lib/nearNames.ts';
import { LEAST_PAIRS, MOST_PAIRS, sequentialDesign } from '#src/statistics/sequential/sequentialDesign.ts';
import { SPENDING_NAMES, type SpendingName } from '#src/statistics/sequential/alphaSpending.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { lockCallKey } from '#src/base/database/lockCallKey.ts';
import { type DecisionRecord, findDecision, insertDecision } from '#src/decisions/store/decisionRecord.ts';
import { listMetricDefinitions } from '#src/metrics/store/metricDefinition.ts';
import { findProjects, upsertProject } from '#src/projects/store/projectRecord.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { agreedDirection } from '#src/metrics/metricDefinitions.ts';
import { checkedKey, keyedId, keyTaken } from '#src/runs/callKey.ts';
import { checkedInteger, checkedName } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { CommandRights } from '#src/sweeps/createSweep.ts';
import { armOf, templateRun } from './decisionArm.ts';
import { type DecisionPlan, planOf } from './decisionPlan.ts';
import { driveDecision } from './driveDecision.ts';
import { requireDecision } from './findDecision.ts';

export interface DecideInput {
  /** Ids or numbers of runs, or beginnings of configurations' hashes. */
  a: string;
  b: string;
  metric: string;
  /** Chance of a difference where there is none, over all looks together; default 0.05. */
  alpha?: number | null | undefined;
  /** Chance to find the difference that the plan is made for; default 0.8. */
  power?: number | null | undefined;
  /** Pairs at most; default 20. */
  atMost?: number | null | undefined;
  /** Pairs between looks; default 1. */
  every?: number | null | undefined;
  /** Default obrien-fleming. */
  spending?: string | null | undefined;
  /** Default 1. */
  firstSeed?: number | null | undefined;
  /** Pairs under way at once; default 1. */
  parallel?: number | null | undefined;
  /** Whether it ends where it is futile; default true. */
  stopsFutile?: boolean | null | undefined;
  /** Of the new runs; default that of a's run. */
  project?: string | null | undefined;
  /** The same call with the same key again answers the comparison that it started. */
  key?: string | null | undefined;
}

const MOST_PARALLEL = 50;
const LARGEST_SEED = 2_000_000_000;

/**
 * Starts an adaptive comparison: its first pair of runs is queued, or found, when this returns; further ones follow until a
 * sequential test of their differences decides, or would hardly decide any more, or all pairs are there.
 * @throws WarrenError BAD_INPUT or NOT_FOUND that says what is wrong, FORBIDDEN for commands; then nothing is queued.
 */
export async function decideComparison(
  context: ServiceContext,
  input: DecideInput,
  rights: CommandRights & { within: readonly string[] | null },
): Promise<DecisionRecord> {
  const within = rights.within === null ? null : [...rights.within];
  const request = checkedRequest(input);
  const metric = checkedName(input.metric, 'metric');
  const firstSeed = checkedInteger(input.firstSeed ?? 1, { path: 'firstSeed', minimum: 0, maximum: LARGEST_SEED });
  const parallel = checkedInteger(input.parallel ?? 1, { path: 'parallel', minimum: 1, maximum: MOST_PARALLEL });
  const { id } = await inTransaction(context.db, async (connection) => {
    const runs = [await templateRun(connection, input.a, 'a'), await templateRun(connection, input.b, 'b')] as const;
    for (const [index, run] of runs.entries()) await checkMetric(connection, run, { metric, path: 'ab'[index]! });
    const a = await armOf(connection, runs[0], { path: 'a', rights });
    const b = await armOf(connection, runs[1], { path: 'b', rights });
    if (a.configurationHash === b.configurationHash && sameInputs(a.inputs, b.inputs)) {
      throw badInput(
        `runs ${input.a} and ${input.b} have the same configuration: choose runs of two configurations`,
        'b',
      );
    }
    const definitions = await Promise.all(runs.map((run) => listMetricDefinitions(connection, [run.id])));
    const direction = agreedDirection(
      definitions.filter((of) => of.length > 0),
      metric,
    );
    const stopsFutile = input.stopsFutile ?? true;
    const user = context.userName ?? null;
    const design = sequentialDesign(request);
    const plan: DecisionPlan = { metric, direction, firstSeed, parallel, stopsFutile, design, within, user, a, b };
    const [own] = await findProjects(connection, [runs[0].projectId]);
    const project = checkedName(input.project ?? own?.name ?? 'default', 'project');
    const call = checkedKey(input.key);
    const made = call === null ? undefined : keyedId('decide', project, call);
    const known = made === undefined ? null : await findMade(connection, made, { key: input.key, plan });
    if (known !== null) return known;
    const { id: projectId } = await upsertProject(connection, project);
    if (a.command !== null || b.command !== null) rights.require(projectId);
    return await insertDecision(connection, { id: made, projectId, plan });
  });
  await driveDecision(context, id);
  return await requireDecision(context, id);
}

/** What an earlier call with this key has started; another one waits for this. @throws WarrenError CONFLICT where it compares others. */
async function findMade(
  connection: Connection,
  id: string,
  { key, plan }: { key: string | null | undefined; plan: DecisionPlan },
): Promise<DecisionRecord | null> {
  await lockCallKey(connection, id);
  const known = await findDecision(connection, { id });
  if (known === null) return null;
  const told = planOf(known);
  const isSame =
    told.metric === plan.metric &&
    (['a', 'b'] as const).every((arm) => told[arm].configurationHash === plan[arm].configurationHash);
  if (isSame) return known;
  throw keyTaken(String(key), `compares others, as comparison ${known.number}`);
}

/** @throws WarrenError BAD_INPUT where a run that succeeded has not got the metric, as no other like it will. */
async function checkMetric(
  connection: Connection,
  run: RunRecord,
  { metric, path }: { metric: string; path: string },
): Promise<void> {
  if (run.state !== 'SUCCEEDED') return;
  const names = (await listSeries(connection, [run.id])).map(({ name }) => name);
  if (names.includes(metric)) return;
  const near = nearNames(metric, names);
  const hint = near.length > 0 ? `; it has ${near.join(', ')}` : '';
  throw badInput(`metric: run ${run.number} (${path}) has succeeded without ${metric}${hint}`, 'metric');
}

function sameInputs(a: DecisionPlan['a']['inputs'], b: DecisionPlan['a']['inputs']): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function checkedRequest({ alpha, power, atMost, every, spending }: DecideInput) {
  const between = (value: number, path: string, [low, high]: readonly [number, number]): number => {
    if (value >= low && value <= high) return value;
    throw badInput(`${path}: expected ${low} to ${high}, received ${value}`, path);
  };
  const pairs = checkedInteger(atMost ?? 20, { path: 'atMost', minimum: LEAST_PAIRS, maximum: MOST_PAIRS });
  return {
    alpha: between(alpha ?? 0.05, 'alpha', [0.0001, 0.5]),
    power: between(power ?? 0.8, 'power', [0.5, 0.999]),
    atMost: pairs,
    every: checkedInteger(every ?? 1, { path: 'every', minimum: 1, maximum: pairs }),
    spending: checkedSpending(spending ?? 'obrien-fleming'),
  };
}

function checkedSpending(name: string): SpendingName {
  const known = SPENDING_NAMES.find((one) => one === name);
  if (known !== undefined) return known;
  throw badInput(`spending: expected ${SPENDING_NAMES.join(' or ')}, received "${name.slice(0, 80)}"`, 'spending');
}
