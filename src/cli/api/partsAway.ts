import { z } from 'zod';

const PATIENCE_MS = 5_000;
const healthSchema = z.object({ database: z.string(), queue: z.string() });

/** What to do about a part of the API that does not answer. */
const PARTS = {
  database: 'its database does not answer: start PostgreSQL, and the API goes on by itself',
  queue: 'its queue does not answer: start Redis, and the API goes on by itself; runs wait in the database until then',
} as const;

/** What the API says at `/health` of parts that do not answer, a sentence each; nothing where it says nothing. */
export async function partsAway(url: string): Promise<string[]> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const health = healthSchema.parse(await response.json());
    return (['database', 'queue'] as const).filter((part) => health[part] === 'away').map((part) => PARTS[part]);
  } catch {
    return []; // who asks it has an answer of its own of an API that is away
  }
}
