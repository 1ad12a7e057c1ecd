import { badInput } from '#src/base/contracts/errors.ts';
import { type LogLineRecord, listLogEnd, listLogLines, logCursor } from '#src/logs/store/logLines.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface ReadLogsInput {
  /** Id or number. */
  runId: string;
  after?: string | null | undefined;
  /** 0 to 10,000, default 1000. */
  first?: number | null | undefined;
  /** 0 to 10,000: the last lines, instead of the first after a position. */
  last?: number | null | undefined;
  /** Of the texts, default 1 MiB: a page of long lines has fewer of them, but one at least. */
  bytes?: number | undefined;
}

export interface LogPage {
  lines: LogLineRecord[];
  /** Give it as `after` to go on; the newest position when there is nothing more. Null before the first line. */
  cursor: string | null;
  hasMore: boolean;
}

const PAGE_BYTES = 1024 ** 2;

/** Lines of a run's log after a position, or its last ones, attempt by attempt, oldest first. */
export async function readLogs(context: Pick<ServiceContext, 'db'>, input: ReadLogsInput): Promise<LogPage> {
  const first = checkedInteger(input.first ?? 1000, { path: 'first', minimum: 0, maximum: 10_000 });
  const after = input.after ?? null;
  const bytes = input.bytes ?? PAGE_BYTES;
  const { id } = await requireRun(context, input.runId, 'runId');
  if (input.last != null) {
    if (after !== null)
      throw badInput('last: the last lines of a log have no place after which they come; leave after out', 'last');
    const last = checkedInteger(input.last, { path: 'last', minimum: 0, maximum: 10_000 });
    const lines = await listLogEnd(context.db, id, { last, bytes });
    const newest = lines.at(-1);
    return { lines, cursor: newest === undefined ? null : logCursor(newest), hasMore: false };
  }
  const { lines, more } = await listLogLines(context.db, id, { after, first, bytes });
  const last = lines.at(-1);
  return { lines, cursor: last === undefined ? after : logCursor(last), hasMore: more };
}
