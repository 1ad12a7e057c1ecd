import { StatusDocument, type StatusQuery } from '#src/generated/api.ts';
import { partsAway } from '#src/base/terminal/partsAway.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

const DAY_MS = 24 * 3600 * 1000;

/** What the API says of itself, with the failures of the last day, and what to do about parts of it that do not answer. */
export async function readStatus(api: ApiClient, now: Date): Promise<{ status: StatusQuery; away: string[] }> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const [status, away] = await Promise.all([
    api.request(StatusDocument, { failures: `state in (FAILED, CRASHED) and ended >= "${since}"` }),
    partsAway(api.url),
  ]);
  return { status, away };
}
