import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { type EarlyStopping, MOST_RUNGS } from './earlyStopping.ts';

const LARGEST_ITERATION = 1_000_000;
const iterations = z.int().min(1).max(LARGEST_ITERATION);
const eta = z.number().min(1.1).max(100);
const observed = {
  /** A metric's name, or its name and goal; the sweep's own unless given. */
  metric: z
    .union([
      z.string().min(1),
      z.strictObject({ name: z.string().min(1), goal: z.enum(['minimize', 'maximize']).optional() }),
    ])
    .optional(),
};
const halving = {
  ...observed,
  min_iter: iterations.optional(),
  max_iter: iterations.optional(),
  s: z.int().min(1).max(100).optional(),
  eta: eta.default(3),
};

/** `early_terminate` of a sweep file: W&B's `hyperband`, and what Warren adds. */
export const earlyTerminateSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hyperband'), ...halving, strict: z.boolean().default(false) }),
  z.strictObject({ type: z.literal('asha'), ...halving, strict: z.boolean().default(true) }),
  z.strictObject({
    type: z.literal('median'),
    ...observed,
    min_iter: iterations.default(1),
    every: iterations.default(1),
    min_trials: z.int().min(1).max(LARGEST_ITERATION).default(5),
  }),
]);
export type EarlyTerminate = z.output<typeof earlyTerminateSchema>;

/**
 * Reads `early_terminate`.
 * @param objective The metric where it names none.
 * @throws WarrenError BAD_INPUT for iterations that are missing or make no rung.
 */
export function readEarlyTerminate(
  given: EarlyTerminate,
  objective: Pick<EarlyStopping, 'metric' | 'goal' | 'summary'>,
): EarlyStopping {
  if (given.type === 'median') {
    return { rule: 'median', ...objective, from: given.min_iter, every: given.every, trials: given.min_trials };
  }
  return { rule: 'asha', ...objective, rungs: rungsOfFile(given), eta: given.eta, strict: given.strict };
}

/** W&B's brackets: `min_iter · eta^k`, or `max_iter / eta^k` for k from 1 to s. */
function rungsOfFile({ min_iter, max_iter, s, eta }: Exclude<EarlyTerminate, { type: 'median' }>): number[] {
  if (max_iter === undefined) {
    if (min_iter === undefined) {
      throw badInput('early_terminate: expected min_iter, the first rung, or max_iter and s', 'early_terminate');
    }
    return ascending((power) => min_iter * eta ** power);
  }
  if (min_iter !== undefined) throw badInput('early_terminate: give min_iter or max_iter, not both', 'early_terminate');
  if (s === undefined) throw badInput('early_terminate.s: max_iter needs it: how many rungs', 'early_terminate.s');
  const rungs = ascending((power) => max_iter / eta ** (s - power)).filter((rung) => rung < max_iter);
  if (rungs.length > 0) return rungs;
  throw badInput(
    'early_terminate: makes no rung: give a greater max_iter or a smaller eta',
    'early_terminate.max_iter',
  );
}

function ascending(rung: (power: number) => number): number[] {
  const rungs = new Set<number>();
  for (let power = 0; rungs.size < MOST_RUNGS && rung(power) <= LARGEST_ITERATION; power++) {
    // 9.999… of a power is ten
    const iteration = Math.floor(rung(power) + 1e-9);
    if (iteration >= 1) rungs.add(iteration);
  }
  return [...rungs];
}
