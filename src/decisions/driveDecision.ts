import { type ErrorCode, toErrorRecord } from '#src/base/contracts/errors.ts';
import { isFinal } from '#src/base/contracts/runState.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import {
  insertPair,
  listPairs,
  listRunsOfOthers,
  type PairRecord,
  settlePair,
  type PairedRun,
} from '#src/decisions/store/decisionPair.ts';
import {
  type DecisionRecord,
  listDecisionsOfRuns,
  listLiveDecisionIds,
  lockDecision,
  updateDecision,
  type DecisionState,
} from '#src/decisions/store/decisionRecord.ts';
import { findProjects } from '#src/projects/store/projectRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { sideOf } from './decisionArm.ts';
import { type DecisionPlan, looksOf, planOf, type MadeLook } from './decisionPlan.ts';
import { judgeLook, sequentialP } from '#src/statistics/sequential/judgeLook.ts';

/** Pairs whose runs ended badly before the decision gives up. */
const MOST_PROBLEMS = 3;

interface Judged {
  /** Pairs that have ended since the last time, with what is to be kept of them. */
  settled: Pick<PairRecord, 'number' | 'valueA' | 'valueB' | 'problem'>[];
  /** All looks, with those made now. */
  looks: MadeLook[];
  /** How the decision ended; null where it goes on. */
  end: { state: DecisionState; reason: string } | null;
  /** Pairs to queue now. */
  missing: number;
}

/**
 * What the pairs of a decision say. A look takes the first pairs by number, and waits for them: which runs are faster has no
 * say in it. Pairs whose runs ended badly are left out, and replaced.
 */
function judgePairs(
  plan: DecisionPlan,
  { pairs, looks }: { pairs: readonly PairRecord[]; looks: readonly MadeLook[] },
): Judged {
  const settled: Judged['settled'] = [];
  const now = pairs.map((pair) => {
    if (pair.valueA !== null || pair.problem !== null) return { ...pair, isOpen: false };
    const end = endOf(pair, plan);
    if (end === null) return { ...pair, isOpen: true };
    settled.push({ number: pair.number, ...end });
    return { ...pair, ...end, isOpen: false };
  });
  const firstOpen = now.findIndex(({ isOpen }) => isOpen);
  const ended = firstOpen < 0 ? now : now.slice(0, firstOpen);
  const differences = ended.flatMap(({ valueA, valueB }) =>
    valueA === null || valueB === null ? [] : [valueA - valueB],
  );
  const made = [...looks];
  for (const look of plan.design.looks.slice(looks.length)) {
    if (differences.length < look.pairs) break;
    const { t, ...result } = judgeLook(plan.design, look, differences.slice(0, look.pairs));
    const one: MadeLook = { ...result, t: Number.isFinite(t) ? t : null, p: null };
    made.push(one);
    const end = endAt(plan, one);
    if (end === null) continue;
    one.p = one.t === null ? null : sequentialP(plan.design.looks.slice(0, made.length), one.t);
    return { settled, looks: made, end, missing: 0 };
  }
  const problems = now.flatMap(({ problem }) => problem ?? []);
  if (problems.length >= MOST_PROBLEMS) {
    const reason = `${problems.length} pairs ended badly: ${problems.join('; ')}`;
    return { settled, looks: made, end: { state: 'FAILED', reason }, missing: 0 };
  }
  const open = now.filter(({ isOpen }) => isOpen).length;
  const counting = now.length - problems.length;
  const missing = Math.max(0, Math.min(plan.parallel - open, plan.design.atMost - counting));
  return { settled, looks: made, end: null, missing };
}

function endAt({ design, stopsFutile, metric }: DecisionPlan, look: MadeLook): Judged['end'] {
  const { verdict, pairs, chance } = look;
  if (verdict === 'unvarying') {
    const reason = `${metric} differs by just as much with every seed: more seeds tell nothing`;
    return { state: 'UNDECIDED', reason };
  }
  if (verdict === 'decided') return { state: 'DECIDED', reason: '' };
  if (verdict === 'futile' && stopsFutile) {
    const size = `${design.effect.toFixed(2)} standard deviations of a pair`;
    return {
      state: 'FUTILE',
      reason: `a difference of ${size} would be found by then with a chance of ${(100 * chance).toFixed(0)} % only`,
    };
  }
  return pairs === design.atMost ? { state: 'UNDECIDED', reason: `all ${pairs} pairs are there` } : null;
}

type End = Pick<PairRecord, 'valueA' | 'valueB' | 'problem'>;

/** What becomes of a pair; null where it is not known yet. */
function endOf({ runA, runB, seed }: PairRecord, { metric }: DecisionPlan): End | null {
  const problem = problemOf(runA, seed, metric) ?? problemOf(runB, seed, metric);
  if (problem !== null) return { valueA: null, valueB: null, problem };
  if (runA?.state !== 'SUCCEEDED' || runB?.state !== 'SUCCEEDED') return null;
  return { valueA: runA.value, valueB: runB.value, problem: null };
}

function problemOf(run: PairedRun | null, seed: number, metric: string): string | null {
  if (run === null) return `a run with seed ${seed} is gone`;
  if (run.deleted) return `run #${run.number} is in the trash`;
  if (!isFinal(run.state)) return null;
  if (run.state !== 'SUCCEEDED') return `run #${run.number} ${run.state.toLowerCase()}`;
  if (run.value === null) return `run #${run.number} has no ${metric}`;
  return Number.isFinite(run.value) ? null : `${metric} of run #${run.number} is not finite`;
}

/** What one look at a decision did. */
interface Driven {
  queued: RunRecord[];
  /** Runs of its own that are needed no more. */
  toCancel: string[];
  /** Whether there may be more to do at once. */
  again: boolean;
}

/** Errors that will not pass by themselves. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['BAD_INPUT', 'NOT_FOUND', 'TOO_LARGE']);

const NOTHING: Driven = { queued: [], toCancel: [], again: false };

/**
 * Does what is to be done for a decision now: notes which pairs have ended, judges them look by look in the order of their
 * numbers, queues the next pairs, or ends it. It decides from the database alone, under a lock on the decision's row, and keeps what it has judged; so any number of
 * processes may call this at any time and be killed at any moment: no pair is lost or doubled, and none judged twice.
 */
export async function driveDecision(context: ServiceContext, id: string): Promise<void> {
  for (let again = true; again; ) {
    const driven = await inTransaction(context.db, async (connection) => {
      const decision = await lockDecision(connection, id);
      if (decision === null || decision.endedAt !== null) return NOTHING;
      return decision.state === 'RUNNING' ? await drive(connection, decision) : await close(connection, decision);
    }).catch((error: unknown) => failed(context, id, error));
    await addRunJobs(context, driven.queued);
    if (driven.toCancel.length > 0) await cancelRuns(context, driven.toCancel);
    again = driven.again;
  }
}

/**
 * Drives every decision that has something to do. One that cannot be driven holds up no other.
 * @throws the first error, when all have had their turn.
 */
export async function driveDecisions(context: ServiceContext): Promise<void> {
  const errors: unknown[] = [];
  for (const id of await listLiveDecisionIds(context.db)) {
    await driveDecision(context, id).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

/** Drives the decisions that wait for one of these runs. Never fails: the reconciler drives what could not be driven here. */
export async function driveDecisionsOf(context: ServiceContext, runs: readonly RunRecord[]): Promise<void> {
  try {
    const ended = runs.filter(({ state }) => isFinal(state)).map(({ id }) => id);
    for (const id of await listDecisionsOfRuns(context.db, ended)) await driveDecision(context, id).catch(() => {});
  } catch {
    // the next look of the reconciler
  }
}

/** Ends a decision whose runs can be drawn no more, such as when an input of theirs is gone. @throws every other error. */
async function failed(context: ServiceContext, id: string, error: unknown): Promise<Driven> {
  const { code, message } = toErrorRecord(error);
  if (!REFUSALS.has(code)) throw error;
  return await inTransaction(context.db, async (connection) => {
    const decision = await lockDecision(connection, id);
    if (decision?.state !== 'RUNNING') return NOTHING;
    const reason = `no further pair can be queued: ${message}`;
    await updateDecision(connection, id, { looks: looksOf(decision), state: 'FAILED', reason });
    await sendNotifications(connection, [{ type: 'decision', decisionId: id }]);
    return { ...NOTHING, again: true };
  });
}

async function drive(connection: Connection, decision: DecisionRecord): Promise<Driven> {
  const plan = planOf(decision);
  const pairs = await listPairs(connection, decision.id, plan.metric);
  const { settled, looks, end, missing } = judgePairs(plan, { pairs, looks: looksOf(decision) });
  for (const pair of settled) await settlePair(connection, decision.id, pair);
  await sendNotifications(connection, [{ type: 'decision', decisionId: decision.id }]);
  await updateDecision(connection, decision.id, { looks, ...end });
  if (end !== null) return { ...NOTHING, again: true };
  const queued: RunRecord[] = [];
  for (let number = pairs.length; number < pairs.length + missing; number++) {
    queued.push(...(await drawPair(connection, decision, { plan, number })));
  }
  // pairs of runs that had finished before may be judged at once
  return { queued, toCancel: [], again: missing > 0 };
}

async function drawPair(
  connection: Connection,
  decision: DecisionRecord,
  { plan, number }: { plan: DecisionPlan; number: number },
): Promise<RunRecord[]> {
  const [project] = await findProjects(connection, [decision.projectId]);
  invariant(project !== undefined, `decision ${decision.number} has no project`);
  const { metric, firstSeed, within, user } = plan;
  const seed = firstSeed + number;
  const tags = [`decision:${decision.number}`];
  const side = (arm: DecisionPlan['a']) => {
    const name = arm.label.replace(/^#\d+ /, '').slice(0, 200);
    return sideOf(connection, arm, { metric, within, user, seed, tags, project: project.name, name });
  };
  const [a, b] = [await side(plan.a), await side(plan.b)];
  await insertPair(connection, { decisionId: decision.id, number, seed, a: a.side, b: b.side });
  return [...a.queued, ...b.queued];
}

/** Cancels those of its own runs that have not ended and that no other decision waits for; when none is left, it has ended. */
async function close(connection: Connection, decision: DecisionRecord): Promise<Driven> {
  const pairs = await listPairs(connection, decision.id, planOf(decision).metric);
  const own = pairs.flatMap(ownOpenRuns);
  const shared = new Set(await listRunsOfOthers(connection, decision.id, own));
  const open = own.filter((id) => !shared.has(id));
  if (open.length > 0) return { ...NOTHING, toCancel: open };
  await updateDecision(connection, decision.id, { ended: true });
  await sendNotifications(connection, [{ type: 'decision', decisionId: decision.id }]);
  return NOTHING;
}

function ownOpenRuns({ runA, runB, reusedA, reusedB }: PairRecord): string[] {
  const own = [reusedA ? null : runA, reusedB ? null : runB];
  return own.flatMap((run) => (run === null || run.deleted || isFinal(run.state) ? [] : [run.id]));
}
