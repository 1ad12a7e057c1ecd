import { Field, Int, ObjectType } from 'type-graphql';
import type { QueueOverview } from '#src/queue/queueOverview.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'A kind that a module of WARREN_KINDS has added.' })
export class KindBacklog {
  @Field(() => String, { description: 'Its name.' })
  kind!: string;

  @Field(() => Int, { description: 'Queued runs of that kind.' })
  runs!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Runs that no worker begins until they are resumed.' })
export class QueuePause {
  @Field(() => String, { nullable: true, description: 'Runs of this kind; null for runs of all kinds.' })
  kind!: string | null;

  @Field(() => dateTimeScalar, { description: 'Since when.' })
  pausedAt!: Date;
}

/** `next` and `pauses` are in `resolvers/queueResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'What waits and what runs.' })
export class Queue implements MadeFrom<Omit<QueueOverview, 'pauses'>, Queue> {
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
