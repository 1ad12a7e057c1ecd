import { Field, Int, ObjectType } from 'type-graphql';

/** `next` is in `resolvers/workerResolver.ts`. */
@ObjectType({ simpleResolvers: true })
export class Queue {
  @Field(() => String, { description: 'postgres or redis' })
  backend!: string;

  @Field(() => Int)
  waiting!: number;

  @Field(() => Int)
  queued!: number;

  @Field(() => Int)
  running!: number;

  @Field(() => Int, { description: 'Those of the queued that only a worker with a graphics processor takes.' })
  queuedForGpu!: number;

  @Field(() => Int, { description: 'Workers with a graphics processor that are alive.' })
  gpuWorkers!: number;
}
