import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { jsonScalar } from '../scalars/jsonScalar.ts';
import { metricValueScalar } from '../scalars/metricValueScalar.ts';
import { stepScalar } from '../scalars/stepScalar.ts';
import { AttemptState, MetricDirection } from './enums.ts';

@ObjectType({ simpleResolvers: true })
export class RunError {
  @Field(() => String)
  code!: string;

  @Field(() => String)
  message!: string;

  /** For the stack, which is read when it is asked for. */
  runId!: string;
}

@ObjectType({ simpleResolvers: true })
export class Attempt {
  @Field(() => Int)
  number!: number;

  @Field(() => AttemptState)
  state!: keyof typeof AttemptState;

  @Field(() => String)
  workerName!: string;

  @Field(() => String, { nullable: true })
  backend!: string | null;

  @Field(() => String, { nullable: true })
  device!: string | null;

  @Field(() => stepScalar, { nullable: true })
  resumedFromStep!: number | null;

  @Field(() => String, { nullable: true })
  errorCode!: string | null;

  @Field(() => String, { nullable: true })
  errorMessage!: string | null;

  @Field(() => dateTimeScalar)
  startedAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true })
  endedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class RunInput {
  @Field(() => String)
  name!: string;

  @Field(() => ID)
  sourceRunId!: string;

  @Field(() => String)
  artifactName!: string;
}

@ObjectType({ simpleResolvers: true, description: 'One named series of a run, summed up.' })
export class MetricSummary {
  @Field(() => String)
  name!: string;

  @Field(() => MetricDirection, { nullable: true })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => Int)
  pointCount!: number;

  @Field(() => stepScalar)
  lastStep!: number;

  @Field(() => metricValueScalar)
  lastValue!: number;

  @Field(() => metricValueScalar, { nullable: true })
  minimum!: number | null;

  @Field(() => metricValueScalar, { nullable: true })
  maximum!: number | null;
}

/** Its `url` is in `resolvers/artifactResolver.ts`. */
@ObjectType({ simpleResolvers: true })
export class Artifact {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, { description: 'output, checkpoint, or code, which a command brought with it' })
  role!: string;

  @Field(() => String)
  mediaType!: string;

  @Field(() => String)
  sha256!: string;

  @Field(() => Float)
  sizeBytes!: number;

  @Field(() => stepScalar, { nullable: true })
  step!: number | null;

  @Field(() => dateTimeScalar)
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true })
export class RunEvent {
  @Field(() => ID)
  id!: string;

  @Field(() => dateTimeScalar)
  time!: Date;

  @Field(() => String)
  type!: string;

  @Field(() => String)
  message!: string;

  @Field(() => jsonScalar)
  data!: unknown;
}
