import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { readLogs } from '../../services/readLogs.ts';
import type { GraphqlContext } from '../context.ts';
import { LIMITS } from '../limits/limits.ts';
import { pageSize } from '../limits/pageSize.ts';
import { LogPage } from '../types/logs.ts';

/** A page may be as large as hundreds of objects. */
const PAGE_COST = 500;
/** Of the texts of one page. */
const PAGE_BYTES = 1024 ** 2;
/** What a line costs beside its text. */
const LINE_BYTES = 200;

@Resolver()
export class LogResolver {
  @Query(() => LogPage, { complexity: ({ childComplexity }) => PAGE_COST + childComplexity })
  async logs(
    @Arg('runId', () => ID) runId: string,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 1000 }) first: number | null,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<LogPage> {
    const size = pageSize(first ?? 1000, LIMITS.logLines);
    return await loaders.budget.read(async (left) => {
      const bytes = Math.min(left, PAGE_BYTES);
      const page = await readLogs(services, { runId, after: after ?? null, first: size, bytes });
      return { result: page, bytes: page.lines.reduce((sum, { text }) => sum + text.length + LINE_BYTES, 0) };
    });
  }
}
