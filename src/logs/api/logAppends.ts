import { readLogs } from '#src/logs/readLogs.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import type { LogPage } from './logs.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';
import { followedIds } from '#src/runs/api/runChanges.ts';

const LINES_AT_ONCE = 1_000;

export interface LogAppendsArguments {
  runId: string;
  after?: string | null;
}

/** Lines of a run after a position, page by page: first those that are there, then each that comes. */
export async function logAppends(
  context: GraphqlContext,
  args: LogAppendsArguments,
): Promise<AsyncIterableIterator<LogPage>> {
  const { services, changes, outlet, onRetry } = context;
  const [runId = ''] = await followedIds(context, [args.runId], 'runId');
  let after = args.after ?? null;
  return changeStream<LogPage>({
    onRetry,
    outlet,
    listen: (wake) => changes.listen([{ type: 'logs', runId }], { onChange: wake, onGap: wake }),
    async read() {
      const page = await readLogs(services, { runId, after, first: LINES_AT_ONCE });
      if (page.lines.length === 0) return { items: [], more: false };
      after = page.cursor;
      return { items: [page], more: page.hasMore };
    },
  });
}
