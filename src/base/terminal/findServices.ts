import type { Environment } from '../platform/environment.ts';
import { readInstance, tokenFor } from '../platform/instance.ts';

export interface Services {
  databaseUrl: string;
  redisUrl: string | null;
  apiUrl: string | null;
  token: string | null;
  /** Whether the `warren up` of this home, if these are its, asks callers for tokens. */
  asksTokens: boolean;
}

/** Database, queue and API that the environment names, else those of the `warren up` that runs in this home, else null. */
export async function findServices(environment: Environment): Promise<Services | null> {
  const { databaseUrl, redisUrl, apiUrl, token, home } = environment;
  if (databaseUrl !== null) return { databaseUrl, redisUrl, apiUrl, token, asksTokens: true };
  const instance = await readInstance(home);
  if (instance === null) return null;
  return {
    databaseUrl: instance.databaseUrl,
    redisUrl: redisUrl ?? instance.redisUrl,
    apiUrl: apiUrl ?? instance.apiUrl,
    token: token ?? tokenFor(apiUrl, instance),
    asksTokens: instance.asksTokens ?? true,
  };
}
