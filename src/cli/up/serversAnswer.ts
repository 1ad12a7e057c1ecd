import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { checkQueue } from '../doctor/checkServices.ts';

const ANSWER_MS = 5_000;

/** Whether the database, and the Redis where there is one, answer this process. */
export async function serversAnswer(environment: Environment, databaseUrl: string): Promise<boolean> {
  const limits = { applicationName: 'warren up', connectTimeoutMs: ANSWER_MS, answerMs: ANSWER_MS };
  try {
    const client = await connectPostgres(databaseUrl, limits);
    await client.query('SELECT 1').finally(() => client.end());
  } catch {
    return false;
  }
  return (await checkQueue(environment)).level !== 'broken';
}
