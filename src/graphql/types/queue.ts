import { Field, Int, ObjectType } from 'type-graphql';

/** `next` is in `resolvers/workerResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'What waits and what runs.' })
export class Queue {
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
}
