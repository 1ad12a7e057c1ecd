import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { jsonScalar } from '../scalars/jsonScalar.ts';
import { RunState } from './enums.ts';
import { PageInfo } from './pageInfo.ts';

/** What needs another look into the database is in `resolvers/runResolver.ts`. */
@ObjectType({ simpleResolvers: true })
export class Run {
  @Field(() => ID)
  id!: string;

  @Field(() => Int, { description: 'Counts runs in the order of creation.' })
  number!: number;

  @Field(() => String)
  name!: string;

  @Field(() => [String])
  tags!: string[];

  @Field(() => Int)
  seed!: number;

  @Field(() => RunState)
  state!: keyof typeof RunState;

  @Field(() => Int)
  priority!: number;

  @Field(() => Boolean, { description: 'Only workers with a graphics processor execute it.' })
  requiresGpu!: boolean;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'What a worker must have free for a command: gpus, memoryMb, cores, labels, and seconds at most.',
  })
  needs!: unknown;

  @Field(() => [Int], { description: 'Numbers of the GPUs that the newest attempt was given.' })
  gpus!: number[];

  @Field(() => Int, { description: "The newest attempt's number, 0 before the first." })
  attempt!: number;

  @Field(() => Int)
  maxAttempts!: number;

  @Field(() => Float, { description: '0 to 1.' })
  progress!: number;

  @Field(() => String)
  progressMessage!: string;

  @Field(() => dateTimeScalar)
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true })
  startedAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true })
  endedAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'The last report of an external run.' })
  lastHeardAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Silence after which an external run counts as CRASHED; null for runs of workers.',
  })
  leaseSeconds!: number | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'In the bin since.' })
  deletedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class RunEdge {
  @Field(() => String)
  cursor!: string;

  @Field(() => Run)
  node!: Run;
}

@ObjectType({ simpleResolvers: true })
export class RunConnection {
  @Field(() => [RunEdge])
  edges!: RunEdge[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'How many runs the filter matches.' })
  totalCount!: number;
}

@ObjectType({
  simpleResolvers: true,
  description: 'What an action on many runs did: one entry each, in the order given.',
})
export class RunOutcome {
  @Field(() => ID)
  id!: string;

  @Field(() => Boolean)
  done!: boolean;

  @Field(() => String, { nullable: true, description: 'Why not, where done is false.' })
  message!: string | null;

  @Field(() => Run, { nullable: true })
  run!: Run | null;
}
