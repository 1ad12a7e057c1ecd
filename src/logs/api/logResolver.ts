import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { readLogs } from '#src/logs/readLogs.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { LogLine, LogPage } from './logs.ts';
import { Run } from '#src/runs/api/run.ts';

const DEFAULT_LINES = 1000;
/** A page may be as large as hundreds of objects. */
const PAGE_COST = 500;
const TAIL_COST = 50;
const MOST_LAST_LINES = 100;
/** Of the texts of one page. */
const PAGE_BYTES = 1024 ** 2;
/** What a line costs beside its text. */
const LINE_BYTES = 200;

const pageCost = ({ childComplexity }: { childComplexity: number }): number => PAGE_COST + childComplexity;

interface PageArguments {
  first: number | null;
  last: number | null;
  after: string | null | undefined;
}

const AFTER = {
  nullable: true,
  description: 'The cursor of an earlier page: its lines are left out. Null: from the first line.',
} as const;
const FIRST = {
  nullable: true,
  defaultValue: DEFAULT_LINES,
  description: 'Lines of the page at most, 0 to 5,000; a page also ends at 1 MiB of text.',
} as const;

const LAST = {
  nullable: true,
  description:
    'So many of the last lines, 0 to 5,000, in place of `first` and `after`; a page also ends at 1 MiB of text.',
} as const;

@Resolver(() => Run)
export class LogResolver {
  @Query(() => LogPage, { description: 'A page of the log of a run.', complexity: pageCost })
  async logs(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('after', () => String, AFTER)
    after: string | null | undefined,
    @Arg('first', () => Int, FIRST)
    first: number | null,
    @Arg('last', () => Int, LAST)
    last: number | null,
    @Ctx() context: GraphqlContext,
  ): Promise<LogPage> {
    return await readPage(context, runId, { first, last, after });
  }

  @FieldResolver(() => LogPage, {
    name: 'logs',
    description: 'A page of the log: attempt by attempt, oldest first.',
    complexity: pageCost,
  })
  async logsOfRun(
    @Root() run: RunRecord,
    @Arg('after', () => String, AFTER)
    after: string | null | undefined,
    @Arg('first', () => Int, FIRST)
    first: number | null,
    @Arg('last', () => Int, LAST)
    last: number | null,
    @Ctx() context: GraphqlContext,
  ): Promise<LogPage> {
    return await readPage(context, run.id, { first, last, after });
  }

  @FieldResolver(() => [LogLine], {
    description: 'The last lines of the log, oldest first, each cut off after 2,000 characters.',
    complexity: TAIL_COST,
  })
  async logTail(
    @Root() run: RunRecord,
    @Arg('first', () => Int, { nullable: true, defaultValue: 15, description: 'Lines at most, 0 to 100.' })
    first: number | null,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<LogLine[]> {
    const lines = await loaders.logTail.load(run.id, pageSize(first ?? 15, MOST_LAST_LINES));
    loaders.budget.charge(lines.reduce((sum, { text }) => sum + text.length + LINE_BYTES, 0));
    return lines;
  }
}

async function readPage(
  { services, loaders }: GraphqlContext,
  runId: string,
  { first, last, after }: PageArguments,
): Promise<LogPage> {
  const size = pageSize(first ?? DEFAULT_LINES, LIMITS.logLines);
  const lastSize = last == null ? null : pageSize(last, LIMITS.logLines);
  return await loaders.budget.read(async (left) => {
    const bytes = Math.min(left, PAGE_BYTES);
    const page = await readLogs(services, { runId, after: after ?? null, first: size, last: lastSize, bytes });
    return { result: page, bytes: page.lines.reduce((sum, { text }) => sum + text.length + LINE_BYTES, 0) };
  });
}
