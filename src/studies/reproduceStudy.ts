import { armByName, armRequest, effectiveBudget } from '#src/catalog/studies/armConfiguration.ts';
import { STUDY_BUDGETS, type Study, type StudyBudget } from '#src/catalog/studies/study.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { randomStream } from '#src/sweeps/search/randomStream.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { lockStudy } from '#src/studies/store/configurationRuns.ts';
import type { StudyRun } from '#src/studies/verdicts/armRuns.ts';
import { type Plan, type PlannedRun, planRuns } from '#src/studies/verdicts/planRuns.ts';
import { selectArms, type StudySelection } from '#src/studies/verdicts/selectArms.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import { arithmeticAtWork } from '#src/runs/arithmeticAtWork.ts';
import { checkedKey, keyedId, keyedRunIds } from '#src/runs/callKey.ts';
import { checkedSeeds, checkRuns, insertCheckedRuns } from '#src/runs/enqueueRuns.ts';
import type { RunInputReference } from '#src/runs/runInputs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { minutesEstimate } from './estimateMinutes.ts';
import { auditTag, readStudyRuns, studyTag } from './readStudyRuns.ts';

export interface ReproduceInput extends StudySelection {
  /** Default quick. */
  budget?: StudyBudget | null | undefined;
  /** Instead of a budget: queues until about so many minutes of computing are used. */
  minutes?: number | null | undefined;
  /** Instead of the study's own. */
  seeds?: readonly number[] | null | undefined;
  /** Computes anew what has finished. */
  fresh?: boolean | null | undefined;
  /** The part of the finished runs, from 0 to 1, that is computed again. */
  audit?: number | null | undefined;
  /** Of the new runs; default `reproductions`. Runs of every project are reused. */
  project?: string | null | undefined;
  priority?: number | null | undefined;
  /** The same call with the same key again answers the runs that it queued, and queues none. */
  key?: string | null | undefined;
}

export interface Reproduced {
  /** New runs, in the order in which they are executed. */
  queued: RunRecord[];
  plan: Plan;
  /** Of computing, for the new runs; as estimated. */
  minutes: number;
}

const MOST_MINUTES = 1_000_000;

/**
 * Queues what is missing of a study, as ordinary runs with the tag `study:NAME`. All of it or nothing: two calls at once queue
 * nothing twice.
 * @throws WarrenError BAD_INPUT for a row, a column, seeds or a share that cannot be, and nothing is queued.
 */
export async function reproduceStudy(
  context: ServiceContext,
  study: Study,
  input: ReproduceInput = {},
): Promise<Reproduced> {
  const request = checkedRequest(study, input);
  const call = checkedKey(input.key);
  const { plan, queued } = await inTransaction(context.db, async (connection) => {
    await lockStudy(connection, study.name);
    const known = call === null ? [] : await findQueued(connection, study, { call, project: projectOf(input) });
    if (known.length > 0) {
      // what is queued counts as under way, not as finished
      return { plan: await makePlan(connection, study, { ...request, fresh: false, audit: 0 }), queued: known };
    }
    const made = await makePlan(connection, study, request);
    const user = context.userName ?? null;
    return { plan: made, queued: await queuePlan(connection, study, { plan: made, input, user, call }) };
  });
  await addRunJobs(context, queued);
  return { queued, plan, minutes: minutesOfPlan(plan) };
}

/**
 * What `reproduceStudy` would do with the same input now; queues nothing.
 * @throws WarrenError BAD_INPUT for a row, a column, seeds or a share that cannot be.
 */
export async function planStudy(
  { db }: Pick<ServiceContext, 'db'>,
  study: Study,
  input: ReproduceInput = {},
): Promise<Omit<Reproduced, 'queued'>> {
  const plan = await makePlan(db, study, checkedRequest(study, input));
  return { plan, minutes: minutesOfPlan(plan) };
}

async function makePlan(
  connection: Connection,
  study: Study,
  request: ReturnType<typeof checkedRequest>,
): Promise<Plan> {
  const runs = await readStudyRuns(connection, study, null);
  const newest = String(runs.at(-1)?.number ?? 0);
  // the same runs are drawn as long as no others have come
  const random = randomStream('audit', study.name, newest);
  const arithmetics = await arithmeticAtWork(connection);
  return planRuns(study, runs, { ...request, random, minutesOf: minutesEstimate(study, runs), arithmetics });
}

const minutesOfPlan = ({ queue }: Plan): number => queue.reduce((sum, { minutes }) => sum + minutes, 0);

function checkedRequest(study: Study, input: ReproduceInput) {
  const { budget, minutes, seeds, fresh, audit } = input;
  if (budget != null && !STUDY_BUDGETS.includes(budget)) {
    throw badInput(`budget: expected ${STUDY_BUDGETS.join(' or ')}, received "${String(budget)}"`, 'budget');
  }
  if (minutes != null && budget != null) throw badInput('minutes: give a budget or minutes, not both', 'minutes');
  if (minutes != null && !(minutes > 0 && minutes <= MOST_MINUTES)) {
    throw badInput(`minutes: expected more than 0, at most ${MOST_MINUTES}, received ${minutes}`, 'minutes');
  }
  if (audit != null && !(audit >= 0 && audit <= 1)) {
    throw badInput(`audit: expected a part from 0 to 1, received ${audit}`, 'audit');
  }
  return {
    arms: selectArms(study, input),
    budget: minutes == null ? (budget ?? ('quick' as const)) : { minutes },
    seeds: seeds == null ? null : checkedSeeds(seeds),
    fresh: fresh ?? false,
    audit: audit ?? 0,
  };
}

const projectOf = ({ project }: ReproduceInput): string => project ?? 'reproductions';

/** By which a run of a call is known. */
const keyOf = (study: Study, call: string, index: number): string => keyedId('reproduce', study.name, call, index);

/** Runs that are looked for at once. */
const RUNS_AT_ONCE = 100;

/** The runs that an earlier call with this key has queued, in their order; the lock on the study has others wait. */
async function findQueued(
  connection: Connection,
  study: Study,
  { call, project }: { call: string; project: string },
): Promise<RunRecord[]> {
  const queued: RunRecord[] = [];
  for (let first = 0; queued.length === first; first += RUNS_AT_ONCE) {
    const ids = Array.from({ length: RUNS_AT_ONCE }, (_, index) => keyOf(study, call, first + index)).flatMap((key) =>
      keyedRunIds({ key, project, seeds: [0] }),
    );
    const known = new Map((await findRunsById(connection, ids)).map((run) => [run.id, run]));
    queued.push(...ids.flatMap((id) => known.get(id) ?? []));
  }
  return queued;
}

/** One call inserts the seeds of an arm together, where they have no inputs of their own. */
async function queuePlan(
  connection: Connection,
  study: Study,
  { plan, input, user, call }: { plan: Plan; input: ReproduceInput; user: string | null; call: string | null },
): Promise<RunRecord[]> {
  const queued: { planned: PlannedRun; run: RunRecord }[] = [];
  for (const [index, planned] of plan.queue.entries()) {
    const { arm, budget, seed, auditOf } = planned;
    const checked = checkRuns({
      ...armRequest(arm, budget),
      project: projectOf(input),
      key: call === null ? undefined : keyOf(study, call, index),
      name: `${study.name} · ${arm.name}${auditOf === null ? '' : ` · again ${auditOf}`}`.slice(0, 200),
      seeds: [seed],
      priority: input.priority ?? undefined,
      tags: [studyTag(study), ...(auditOf === null ? [] : [auditTag(auditOf)])],
      inputs: inputsOf(study, planned, { queued, plan }),
    });
    const [run] = await insertCheckedRuns(connection, checked, { user });
    invariant(run !== undefined, `no run for ${arm.name}`);
    queued.push({ planned, run });
  }
  return queued.map(({ run }) => run);
}

/** For each input, the run of its arm with the same budget and seed, else the first of that budget. */
function inputsOf(
  study: Study,
  { arm, budget, seed }: PlannedRun,
  { queued, plan }: { queued: readonly { planned: PlannedRun; run: RunRecord }[]; plan: Plan },
): RunInputReference[] {
  return (arm.inputs ?? []).map(({ name, arm: source, artifact }) => {
    const wanted = effectiveBudget(study, armByName(study, source), budget);
    const isSource = (one: { arm: string; budget: StudyBudget }) => one.arm === source && one.budget === wanted;
    const there: Pick<StudyRun, 'id' | 'seed'>[] = [
      ...queued
        .filter(
          ({ planned: { arm: one, budget: own, auditOf } }) =>
            auditOf === null && isSource({ arm: one.name, budget: own }),
        )
        .map(({ run }) => run),
      ...[...plan.reused, ...plan.underWay].filter(isSource),
    ];
    const run = there.find((one) => one.seed === seed) ?? there[0];
    invariant(run !== undefined, `no run of ${source} for ${arm.name}`);
    return { name, runId: run.id, artifactName: artifact };
  });
}
