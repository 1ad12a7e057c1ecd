import { LogsDocument, type LogsQuery } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

export type LogPage = LogsQuery['logs'];
export type LogLine = LogPage['lines'][number];

/** Lines of one answer: the API's largest page. */
export const LOG_PAGE = 500;

/** The page of a run's log after the position `after`; null begins at the first line. */
export async function fetchLogs(api: ApiClient, runId: string, after: string | null): Promise<LogPage> {
  return (await api.request(LogsDocument, { runId, after, first: LOG_PAGE })).logs;
}

/** Lines that the API gives of the end of a log at most. */
const MOST_LAST = 5_000;

/**
 * The last `count` lines of a run's log, and where it goes on; of 0, only where. More than the API gives at once are found by reading
 * the log through.
 */
export async function fetchLastLogLines(
  api: ApiClient,
  runId: string,
  count: number,
): Promise<{ lines: LogLine[]; cursor: string | null }> {
  if (count === 0) {
    const { cursor } = (await api.request(LogsDocument, { runId, last: 1 })).logs;
    return { lines: [], cursor };
  }
  if (count <= MOST_LAST) {
    // of no lines, too, the cursor is behind the last
    const { lines, cursor } = (await api.request(LogsDocument, { runId, last: Math.max(1, count) })).logs;
    if (count === 0) return { lines: [], cursor };
    // a page ends at some size, too
    if (lines.length === count || (await isWhole(api, runId, lines))) return { lines, cursor };
  }
  let lines: LogLine[] = [];
  let after: string | null = null;
  for (;;) {
    const page: LogPage = await fetchLogs(api, runId, after);
    lines = [...lines, ...page.lines].slice(-count);
    after = page.cursor ?? after;
    if (!page.hasMore || page.cursor === null) return { lines, cursor: after };
  }
}

/** Whether a log has no lines before these. */
async function isWhole(api: ApiClient, runId: string, lines: readonly LogLine[]): Promise<boolean> {
  const [start] = (await api.request(LogsDocument, { runId, first: 1 })).logs.lines;
  const [first] = lines;
  return start?.attempt === first?.attempt && start?.line === first?.line;
}
