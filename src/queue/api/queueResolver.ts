import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root, Field, ObjectType } from 'type-graphql';
import { pauseQueue, resumeQueue } from '#src/queue/pauseQueue.ts';
import { nextRuns, type QueueOverview, queueOverview } from '#src/queue/queueOverview.ts';
import type { QueuePauseRecord } from '#src/queue/store/queuePause.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { type GraphqlContext, requireQueueRight } from '#src/base/graphql/context.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { Run } from '#src/runs/api/run.ts';

@ObjectType({ simpleResolvers: true, description: 'A kind that a module of WARREN_KINDS has added.' })
class KindBacklog {
  @Field(() => String, { description: 'Its name.' })
  kind!: string;

  @Field(() => Int, { description: 'Queued runs of that kind.' })
  runs!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Runs that no worker begins until they are resumed.' })
class QueuePause {
  @Field(() => String, { nullable: true, description: 'Runs of this kind; null for runs of all kinds.' })
  kind!: string | null;

  @Field(() => dateTimeScalar, { description: 'Since when.' })
  pausedAt!: Date;
}

/** `next` and `pauses` are in `resolvers/queueResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'What waits and what runs.' })
class Queue implements MadeFrom<Omit<QueueOverview, 'pauses'>, Queue> {
  @Field(() => String, { description: 'Where the queue lives: `postgres` or `redis`.' })
  backend!: string;

  @Field(() => Int, { description: "Runs that wait for other runs' artifacts." })
  waiting!: number;

  @Field(() => Int, { description: 'Runs that a worker may take.' })
  queued!: number;

  @Field(() => Int, { description: 'Runs that are executed now.' })
  running!: number;

  @Field(() => Int, { description: 'Those of the queued that only a worker with a graphics processor takes.' })
  queuedForGpu!: number;

  @Field(() => Int, { description: 'Workers with a graphics processor that are alive.' })
  gpuWorkers!: number;

  @Field(() => [KindBacklog], {
    description: 'Kinds that no worker knows which is alive: their runs wait for one that is started with the module.',
  })
  unknownKinds!: KindBacklog[];
}

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

  @FieldResolver(() => [QueuePause], { description: 'What is paused; empty where nothing is.' })
  pauses(@Root() queue: QueueOverview): QueuePause[] {
    return queue.pauses.map(shownPause);
  }

  @Mutation(() => [QueuePause], {
    description:
      'Keeps workers from beginning runs until they are resumed, whatever is restarted; those that are executed go on. For admins, and tokens that were made with --queue. Answers all that is paused.',
  })
  async pauseQueue(
    @Arg('kind', () => String, { nullable: true, description: 'Only runs of this kind; null: all.' })
    kind: string | null | undefined,
    @Ctx() { services, mayManageQueue }: GraphqlContext,
  ): Promise<QueuePause[]> {
    requireQueueRight({ mayManageQueue });
    return (await pauseQueue(services, kind ?? null)).map(shownPause);
  }

  @Mutation(() => [QueuePause], { description: 'Ends a pause. Answers what is still paused.' })
  async resumeQueue(
    @Arg('kind', () => String, { nullable: true, description: 'As it was paused: of this kind; null: all.' })
    kind: string | null | undefined,
    @Ctx() { services, mayManageQueue }: GraphqlContext,
  ): Promise<QueuePause[]> {
    requireQueueRight({ mayManageQueue });
    return (await resumeQueue(services, kind ?? null)).map(shownPause);
  }
}

function shownPause({ kind, pausedAt }: QueuePauseRecord): QueuePause {
  return { kind: kind === '' ? null : kind, pausedAt };
}
