import { setImmediate } from 'node:timers/promises';
import { stableHash } from '#src/base/lib/stableHash.ts';
import {
  type MeasuredTrial,
  type ParameterImportance,
  parameterImportance,
} from '#src/sweeps/search/importance/parameterImportance.ts';
import { readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import type { SweepView } from './sweepView.ts';

/** Sweeps whose last answer is kept. */
const MOST_KEPT = 50;

const kept = new Map<string, { key: string; answer: Promise<ParameterImportance[]> }>();

/**
 * Which parameters of a sweep matter, from the trials that have an objective. What these trials do not change is computed once; while
 * it is computed, the process goes on answering others.
 */
export async function sweepImportance({ sweep, definition, trials }: SweepView): Promise<ParameterImportance[]> {
  const measured = trials.flatMap(({ point, objective }): MeasuredTrial[] =>
    objective === null || !Number.isFinite(objective) ? [] : [{ point, objective }],
  );
  const key = stableHash([definition.parameters, measured.map(({ objective }) => objective)]);
  const known = kept.get(sweep.id);
  if (known?.key === key) return await known.answer;
  const answer = parameterImportance(readSearchSpace(definition.parameters), measured, () => setImmediate());
  kept.delete(sweep.id);
  kept.set(sweep.id, { key, answer });
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return await answer;
}
