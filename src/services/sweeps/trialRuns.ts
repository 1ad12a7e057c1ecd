import type { SweepDefinition } from '#src/sweeps/sweepDefinition.ts';
import { nestedParameters, type Point } from '#src/sweeps/searchSpace.ts';
import type { EnqueueRunsInput } from '../runs/enqueueRuns.ts';

/**
 * What is queued for a point of a sweep: parameters under `dataset.` choose the data, all others go to the kind. A dataset
 * by name and parts of one drawn join into one selection.
 */
export function trialRuns(definition: SweepDefinition, point: Point): EnqueueRunsInput {
  const { dataset: drawn, ...parameters } = nestedParameters(point);
  const { kind, preset, dataset, seeds, priority, maxAttempts, tags } = definition;
  const given = typeof dataset === 'string' ? { name: dataset } : dataset;
  const isWhole = drawn === undefined || typeof drawn !== 'object' || drawn === null;
  const chosen = drawn === undefined ? dataset : isWhole ? drawn : { ...(given ?? {}), ...drawn };
  return { kind, preset, parameters, dataset: chosen, seeds, priority, maxAttempts, tags };
}
