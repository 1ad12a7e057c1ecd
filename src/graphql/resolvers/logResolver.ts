import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { readLogs } from '../../services/readLogs.ts';
import type { GraphqlContext } from '../context.ts';
import { LIMITS } from '../limits/limits.ts';
import { pageSize } from '../limits/pageSize.ts';
import { LogPage } from '../types/logs.ts';

@Resolver()
export class LogResolver {
  @Query(() => LogPage, { complexity: ({ childComplexity }) => 20 + childComplexity })
  async logs(
    @Arg('runId', () => ID) runId: string,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 1000 }) first: number | null,
    @Ctx() { services }: GraphqlContext,
  ): Promise<LogPage> {
    const size = pageSize(first ?? 1000, LIMITS.logLines);
    return await readLogs(services, { runId, after: after ?? null, first: size });
  }
}
