import { LogAppendedDocument, type LogPageFragment, LogsDocument } from '#web/generated/graphql.ts';
import { onReturn } from '#web/api/connection.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type LogLine = LogPageFragment['lines'][number];

export interface LogState {
  lines: LogLine[];
  /** `reading` until the end of what is there has been reached. */
  phase: 'reading' | 'complete' | 'full';
  error: unknown;
}

const PAGE_SIZE = 2000;
/** The page holds the first so many lines, and of a longer log its last ones; `warren export` has them all. */
export const MAXIMUM_LOG_LINES = 200_000;
export const LAST_LOG_LINES = 5_000;

/** Reads a run's log from its start, page by page, then follows it while `live`. Returns the function that stops it. */
export function startLogFeed(runId: string, live: boolean, onState: (state: LogState) => void): () => void {
  const abort = new AbortController();
  let cursor: string | null = null;
  let lines: LogLine[] = [];
  let stopFollowing = () => {};
  let reading = false;

  const add = (page: LogPageFragment) => {
    cursor = page.cursor ?? cursor;
    const last = lines.at(-1);
    const fresh = last === undefined ? page.lines : page.lines.filter((line) => isAfter(line, last));
    if (fresh.length === 0) return;
    const end = [...lines.slice(MAXIMUM_LOG_LINES), ...fresh].slice(-LAST_LOG_LINES);
    lines = lines.length < MAXIMUM_LOG_LINES ? [...lines, ...fresh] : [...lines.slice(0, MAXIMUM_LOG_LINES), ...end];
  };
  const phaseOf = (reads: boolean) => {
    if (lines.length >= MAXIMUM_LOG_LINES) return 'full';
    return reads ? 'reading' : 'complete';
  };
  const read = async () => {
    if (reading) return;
    reading = true;
    try {
      for (;;) {
        const { logs } = await request(LogsDocument, { runId, after: cursor, first: PAGE_SIZE }, abort.signal);
        add(logs);
        const full = lines.length >= MAXIMUM_LOG_LINES;
        if (full && logs.hasMore) {
          add((await request(LogsDocument, { runId, last: LAST_LOG_LINES }, abort.signal)).logs);
        }
        onState({ lines, phase: phaseOf(logs.hasMore && !full), error: null });
        if (full || !logs.hasMore) break;
      }
    } catch (error) {
      if (!abort.signal.aborted) onState({ lines, phase: 'complete', error });
    } finally {
      reading = false;
    }
  };
  const follow = () =>
    subscribe(LogAppendedDocument, () => ({ runId, after: cursor }), {
      onData: ({ logAppended }) => {
        add(logAppended);
        onState({ lines, phase: phaseOf(false), error: null });
        if (logAppended.hasMore) void read();
      },
      onError: (error) => onState({ lines, phase: 'complete', error }),
    });
  void read().then(() => {
    if (live && !abort.signal.aborted) stopFollowing = follow();
  });
  const stopWaiting = onReturn(() => void read());
  return () => {
    abort.abort();
    stopWaiting();
    stopFollowing();
  };
}

function isAfter(line: LogLine, last: LogLine): boolean {
  return line.attempt > last.attempt || (line.attempt === last.attempt && line.line > last.line);
}

/** The lines as they are shown: where those in between are not held, one line says so. */
export function withGap(lines: readonly LogLine[]): readonly LogLine[] {
  const [before, after] = lines.slice(MAXIMUM_LOG_LINES - 1, MAXIMUM_LOG_LINES + 1);
  if (before === undefined || after === undefined) return lines;
  if (before.attempt === after.attempt && after.line === before.line + 1) return lines;
  const text = '… lines between these are not shown here: the export has them';
  const gap: LogLine = { ...before, line: before.line + 0.5, level: 'warn', text };
  return [...lines.slice(0, MAXIMUM_LOG_LINES), gap, ...lines.slice(MAXIMUM_LOG_LINES)];
}
