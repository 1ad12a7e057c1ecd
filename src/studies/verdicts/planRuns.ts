import { armByName, armSeeds, effectiveBudget, hasShortForm } from '#src/catalog/studies/armConfiguration.ts';
import type { Study, StudyArm, StudyBudget } from '#src/catalog/studies/study.ts';
import type { RunArithmetic } from '#src/base/contracts/arithmetic.ts';
import { isFinal } from '#src/base/contracts/runState.ts';
import type { StudyRun } from './armRuns.ts';

/** What is to be run of a study. */
export interface PlanRequest {
  /** Names of the chosen arms. */
  arms: readonly string[];
  /** A number of minutes: the paper's settings where they fit, else shortened ones, in order, until the time is used. */
  budget: StudyBudget | { minutes: number };
  /** Instead of the study's own. */
  seeds?: readonly number[] | null | undefined;
  /** Computes anew what has finished. */
  fresh?: boolean | undefined;
  /** The part of the finished runs, from 0 to 1, that is computed again; drawn by `random`. */
  audit?: number | undefined;
  /** How the workers round: finished runs that rounded so are preferred, and audited. Null: it is not known. */
  arithmetics?: ReadonlySet<RunArithmetic> | null;
  /** From 0 to below 1. */
  random: () => number;
  /** About how many minutes a run takes. */
  minutesOf: (arm: StudyArm, budget: StudyBudget) => number;
}

/** One run to queue. */
export interface PlannedRun {
  arm: StudyArm;
  budget: StudyBudget;
  seed: number;
  minutes: number;
  /** Number of the run that it repeats; null for others. */
  auditOf: number | null;
}

export interface Plan {
  /** To queue, in order. */
  queue: PlannedRun[];
  /** Finished runs that serve as they are. */
  reused: StudyRun[];
  /** Runs under way that are waited for. */
  underWay: StudyRun[];
  /** Left out, since the time is used. */
  left: { arm: string; seed: number; minutes: number }[];
  /** Left out for the reason given. */
  notRunnable: { arm: string; reason: string }[];
}

/**
 * What is missing of the chosen arms. First all arms with their first seed, then with their second, so that a table is whole
 * before it is exact. A finished run of the same configuration, seed and data serves as it is, unless `fresh`.
 */
export function planRuns(study: Study, runs: readonly StudyRun[], request: PlanRequest): Plan {
  const plan: Plan = { queue: [], reused: [], underWay: [], left: [], notRunnable: [] };
  let minutesLeft = typeof request.budget === 'string' ? Number.POSITIVE_INFINITY : request.budget.minutes;
  const runnable: StudyArm[] = [];
  for (const arm of request.arms.map((name) => armByName(study, name))) {
    if (arm.notRunnable === undefined) runnable.push(arm);
    else plan.notRunnable.push({ arm: arm.name, reason: arm.notRunnable });
  }
  for (const { arm, seed } of inOrder(study, runnable, request)) {
    const budgets = budgetsOf(study, arm, request.budget);
    const isPlaced = budgets.some((budget) => {
      const existing = serving(runs, { arm, budget, seed, arithmetics: request.arithmetics ?? null });
      if (existing !== undefined && !(isFinal(existing.state) && request.fresh === true)) {
        (isFinal(existing.state) ? plan.reused : plan.underWay).push(existing);
        return true;
      }
      const minutes = request.minutesOf(arm, budget);
      if (minutes > minutesLeft || !hasInputs(study, { arm, budget, plan })) return false;
      minutesLeft -= minutes;
      plan.queue.push({ arm, budget, seed, minutes, auditOf: null });
      return true;
    });
    if (isPlaced) continue;
    plan.left.push({ arm: arm.name, seed, minutes: request.minutesOf(arm, budgets.at(-1) ?? 'paper') });
  }
  plan.queue.push(...audited(plan.reused, study, request));
  return plan;
}

/** The settings to try for a run, the preferred first. */
function budgetsOf(study: Study, arm: StudyArm, budget: PlanRequest['budget']): readonly StudyBudget[] {
  if (typeof budget === 'string') return [effectiveBudget(study, arm, budget)];
  return hasShortForm(study, arm) ? ['paper', 'quick'] : ['paper'];
}

/** Whether each arm that leaves something for it has a run of the same budget. */
function hasInputs(study: Study, { arm, budget, plan }: { arm: StudyArm; budget: StudyBudget; plan: Plan }): boolean {
  const { queue, reused, underWay } = plan;
  const there = [
    ...queue.map((planned) => ({ arm: planned.arm.name, budget: planned.budget })),
    ...reused,
    ...underWay,
  ];
  return (arm.inputs ?? []).every((input) => {
    const wanted = effectiveBudget(study, armByName(study, input.arm), budget);
    return there.some((one) => one.arm === input.arm && one.budget === wanted);
  });
}

/** Arms and seeds in the order in which they are run; in each round, inputs stand before those that take them. */
function inOrder(study: Study, chosen: readonly StudyArm[], { budget, seeds }: PlanRequest) {
  const depth = ({ inputs = [] }: StudyArm): number =>
    inputs.length === 0 ? 0 : 1 + Math.max(...inputs.map(({ arm }) => depth(armByName(study, arm))));
  const arms = [...chosen].sort((a, b) => depth(a) - depth(b));
  const named = typeof budget === 'string' ? budget : 'paper';
  const seedsOf = (arm: StudyArm) => {
    if (seeds == null) return armSeeds(study, arm, named);
    return arm.deterministic === true ? seeds.slice(0, 1) : seeds;
  };
  const rounds = Math.max(0, ...arms.map((arm) => seedsOf(arm).length));
  return Array.from({ length: rounds }, (_, round) =>
    arms.flatMap((arm) => {
      const seed = seedsOf(arm)[round];
      return seed === undefined ? [] : [{ arm, seed }];
    }),
  ).flat();
}

/** The newest finished run of a configuration and seed, else one under way; any seed where nothing depends on it. */
function serving(
  runs: readonly StudyRun[],
  {
    arm,
    budget,
    seed,
    arithmetics,
  }: { arm: StudyArm; budget: StudyBudget; seed: number; arithmetics: ReadonlySet<RunArithmetic> | null },
): StudyRun | undefined {
  const same = runs.filter(
    (run) =>
      run.arm === arm.name &&
      run.budget === budget &&
      run.auditOf === null &&
      (arm.deterministic === true || run.seed === seed),
  );
  return (
    same.findLast((run) => run.state === 'SUCCEEDED' && roundsAsWorkers(run, arithmetics)) ??
    same.findLast(({ state }) => state === 'SUCCEEDED') ??
    same.findLast(({ state }) => !isFinal(state))
  );
}

/** Whether a new run would have the same bits. */
function roundsAsWorkers({ arithmetic }: StudyRun, arithmetics: PlanRequest['arithmetics']): boolean {
  return arithmetics == null || arithmetics.has(arithmetic);
}

/** A share of the finished runs, at least one, drawn without repetition: of those that workers can repeat to the bit, if any. */
function audited(reused: readonly StudyRun[], study: Study, request: PlanRequest): PlannedRun[] {
  const { audit = 0, random, minutesOf } = request;
  if (audit <= 0 || reused.length === 0) return [];
  const repeatable = reused.filter((run) => roundsAsWorkers(run, request.arithmetics));
  const rest = repeatable.length === 0 ? [...reused] : repeatable;
  return Array.from({ length: Math.min(rest.length, Math.max(1, Math.round(audit * rest.length))) }, () => {
    const [run] = rest.splice(Math.floor(random() * rest.length), 1);
    const { arm: name, budget, seed, number } = run!;
    const arm = armByName(study, name);
    return { arm, budget, seed, minutes: minutesOf(arm, budget), auditOf: number };
  });
}
