import { z } from 'zod';
import { healthProblems, PART_STATES } from '#src/base/contracts/health.ts';

const PATIENCE_MS = 15_000;
const healthSchema = z.object({ database: z.enum(PART_STATES), queue: z.enum(PART_STATES) });

/** What the API says at `/health` of parts that do not answer or take no writes, a sentence each; nothing where it says nothing. */
export async function partsAway(url: string): Promise<string[]> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return healthProblems(healthSchema.parse(await response.json()));
  } catch {
    return []; // who asks it has an answer of its own of an API that is away
  }
}
