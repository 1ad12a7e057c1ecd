import { z } from 'zod';
import type { ApiClient } from '../apiClient.ts';

const logPageSchema = z.object({
  logs: z.object({
    lines: z.array(
      z.object({
        attempt: z.number(),
        line: z.number(),
        level: z.enum(['debug', 'info', 'warn', 'error']),
        text: z.string(),
        time: z.string().transform((text) => new Date(text)),
      }),
    ),
    cursor: z.string().nullable(),
    hasMore: z.boolean(),
  }),
});
export type LogPage = z.infer<typeof logPageSchema>['logs'];
export type LogLine = LogPage['lines'][number];

/** Lines of one answer: the API's largest page. */
export const LOG_PAGE = 500;

/** The page of a run's log after the position `after`; null begins at the first line. */
export async function fetchLogs(api: ApiClient, runId: string, after: string | null): Promise<LogPage> {
  const query = `query Logs($runId: ID!, $after: String, $first: Int) {
    logs(runId: $runId, after: $after, first: $first) { lines { attempt line level text time } cursor hasMore }
  }`;
  return (await api.request(query, { runId, after, first: LOG_PAGE }, logPageSchema)).logs;
}

/** The last `count` lines of a run's log. Reads the log through, since it has no other end to begin at. */
export async function fetchLastLogLines(api: ApiClient, runId: string, count: number): Promise<LogLine[]> {
  let lines: LogLine[] = [];
  let after: string | null = null;
  for (;;) {
    const page: LogPage = await fetchLogs(api, runId, after);
    lines = [...lines, ...page.lines].slice(-count);
    if (!page.hasMore || page.cursor === null) return lines;
    after = page.cursor;
  }
}
