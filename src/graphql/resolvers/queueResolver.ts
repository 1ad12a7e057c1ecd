import { Arg, Ctx, FieldResolver, Int, Query, Resolver } from 'type-graphql';
import { nextRuns, type QueueOverview, queueOverview } from '#src/services/queue/queueOverview.ts';
import type { RunRecord } from '#src/store/runs/runRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { pageSize } from '../limits/pageSize.ts';
import { Queue } from '../types/queue.ts';
import { Run } from '../types/run.ts';

@Resolver(() => Queue)
export class QueueResolver {
  @Query(() => Queue, { description: 'What waits and what runs.' })
  async queue(@Ctx() { services }: GraphqlContext): Promise<QueueOverview> {
    return await queueOverview(services);
  }

  @FieldResolver(() => [Run], { description: 'The next runs in the order in which workers take them.' })
  async next(
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Runs at most, 0 to 500.' }) first:
      | number
      | null,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord[]> {
    return await nextRuns(services, pageSize(first));
  }
}
