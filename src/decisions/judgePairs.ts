import { isFinal } from '#src/base/contracts/runState.ts';
import { judgeLook, sequentialP } from '#src/statistics/sequential/judgeLook.ts';
import type { PairedRun, PairRecord } from '#src/decisions/store/decisionPair.ts';
import type { DecisionState } from '#src/decisions/store/decisionRecord.ts';
import type { DecisionPlan, MadeLook } from './decisionPlan.ts';

/** Pairs whose runs ended badly before the decision gives up. */
const MOST_PROBLEMS = 3;

export interface Judged {
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
export function judgePairs(
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
