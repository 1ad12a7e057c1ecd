import { LogsDocument, type LogsQuery } from '#src/generated/api.ts';
import type { ApiClient } from '../apiClient.ts';

export type LogPage = LogsQuery['logs'];
export type LogLine = LogPage['lines'][number];

/** Lines of one answer: the API's largest page. */
export const LOG_PAGE = 500;

/** The page of a run's log after the position `after`; null begins at the first line. */
export async function fetchLogs(api: ApiClient, runId: string, after: string | null): Promise<LogPage> {
  return (await api.request(LogsDocument, { runId, after, first: LOG_PAGE })).logs;
}

/** The last `count` lines of a run's log, and where it goes on. Reads the log through, since it has no other end to begin at. */
export async function fetchLastLogLines(
  api: ApiClient,
  runId: string,
  count: number,
): Promise<{ lines: LogLine[]; cursor: string | null }> {
  let lines: LogLine[] = [];
  let after: string | null = null;
  for (;;) {
    const page: LogPage = await fetchLogs(api, runId, after);
    lines = [...lines, ...page.lines].slice(-count);
    after = page.cursor ?? after;
    if (!page.hasMore || page.cursor === null) return { lines, cursor: after };
  }
}
