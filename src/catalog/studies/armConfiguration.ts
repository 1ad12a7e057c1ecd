import { invariant } from '#src/base/lib/invariant.ts';
import { merge, type ResolvedConfiguration, resolveConfiguration } from '../resolveConfiguration.ts';
import type { Study, StudyArm, StudyBudget } from './study.ts';

/** What `enqueueRuns` and `resolveConfiguration` take for an arm under a budget. */
export interface ArmRequest {
  kind: string;
  preset: string | null;
  dataset: string | Record<string, unknown> | undefined;
  parameters: Record<string, unknown>;
}

/** The request of an arm, with what shortens it laid over its own where the budget is quick. */
export function armRequest(arm: StudyArm, budget: StudyBudget): ArmRequest {
  const shortening = budget === 'quick' ? arm.quick : undefined;
  return {
    kind: arm.kind,
    preset: arm.preset ?? null,
    dataset: laidOver(arm.dataset, shortening?.dataset),
    parameters: merge(arm.parameters ?? {}, shortening?.parameters ?? {}),
  };
}

/** The configuration of an arm under a budget. @throws WarrenError where the catalog has no such configuration. */
export function armConfiguration(arm: StudyArm, budget: StudyBudget): ResolvedConfiguration {
  const known = resolved[budget].get(arm);
  if (known !== undefined) return known;
  const request = armRequest(arm, budget);
  const text = JSON.stringify(request);
  const configuration = byRequest.get(text) ?? resolveConfiguration(request);
  byRequest.set(text, configuration);
  while (byRequest.size > MOST_REQUESTS) byRequest.delete(byRequest.keys().next().value ?? '');
  resolved[budget].set(arm, configuration);
  return configuration;
}

/** Several studies have arms that ask for the same. */
const byRequest = new Map<string, ResolvedConfiguration>();
const MOST_REQUESTS = 2_000;

/** Resolving takes a good part of a millisecond, and studies have a thousand arms. */
const resolved = {
  quick: new WeakMap<StudyArm, ResolvedConfiguration>(),
  paper: new WeakMap<StudyArm, ResolvedConfiguration>(),
} as const satisfies Record<StudyBudget, unknown>;

/** Seeds of an arm under a budget; the first alone where its numbers do not depend on them. */
export function armSeeds(study: Study, arm: StudyArm, budget: StudyBudget): readonly number[] {
  const seeds = arm.seeds?.[budget] ?? study.seeds[budget];
  return arm.deterministic === true ? seeds.slice(0, 1) : seeds;
}

/** Whether the quick budget gives an arm less than the paper does, or less to an arm that it takes inputs from. */
export function hasShortForm(study: Study, arm: StudyArm): boolean {
  return (
    arm.quick !== undefined || (arm.inputs ?? []).some((input) => hasShortForm(study, armByName(study, input.arm)))
  );
}

/** `paper` where both budgets give an arm the same. */
export function effectiveBudget(study: Study, arm: StudyArm, budget: StudyBudget): StudyBudget {
  return hasShortForm(study, arm) ? budget : 'paper';
}

export function armByName(study: Study, name: string): StudyArm {
  const arm = study.arms.find((one) => one.name === name);
  invariant(arm !== undefined, `study ${study.name} has no arm ${name}`);
  return arm;
}

type Dataset = StudyArm['dataset'];

function laidOver(dataset: Dataset, shortening: Dataset): string | Record<string, unknown> | undefined {
  if (shortening === undefined) return typeof dataset === 'object' ? { ...dataset } : dataset;
  const own = typeof dataset === 'string' ? { name: dataset } : dataset;
  return { ...own, ...(typeof shortening === 'string' ? { name: shortening } : shortening) };
}
