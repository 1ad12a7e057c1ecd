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
}
