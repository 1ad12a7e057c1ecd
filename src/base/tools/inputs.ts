import { z } from 'zod';
import { parseRunId } from '../terminal/arguments/runId.ts';

/** A run as an agent names it: 12, "12", "#12" or its id. */
export const runInput = z
  .union([z.number().int().nonnegative(), z.string()])
  .describe('Number or id of the run')
  .transform((given) => parseRunId(String(given)));

/** Several of them. */
export function runsInput(most: number) {
  return z.array(runInput).min(1).max(most).describe(`Numbers or ids of runs, ${most} at most`);
}

export const valueInput = z
  .string()
  .default('last')
  .describe('last or best value of each run, or a metric at whose best step it is taken, such as valid/ndcg@10');

export const projectInput = z.string().optional().describe('Only this project; all that you may see when left out');

export const filterInput = z
  .string()
  .optional()
  .describe('Which runs, in the filter language that find_runs explains; all when left out');

export const seedsInput = z
  .array(z.number().int().nonnegative())
  .min(1)
  .max(100)
  .optional()
  .describe('One run for each seed; [1] when left out');

export const keyInput = z
  .string()
  .optional()
  .describe('Any words by which this call is known: repeated with the same, it makes nothing twice');
