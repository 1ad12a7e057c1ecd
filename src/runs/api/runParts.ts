import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { PresetDifference as PresetDifferenceRecord } from '#src/runs/presetDifferences.ts';
import type { ArtifactRecord } from '#src/artifacts/store/artifactRecord.ts';
import type { AttemptRecord } from '#src/runs/store/attemptRecord.ts';
import type { RunEventRecord } from '#src/runs/store/runEvent.ts';
import type { RunInputRecord } from '#src/runs/store/runInput.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import { AttemptState, MetricDirection, SummaryRule } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'Why a run failed.' })
export class RunError {
  @Field(() => String, {
    description:
      'What sort of failure it is: `BAD_INPUT`, `DATA_ERROR`, `RUN_FAILED`, `OUT_OF_MEMORY`, `WORKER_LOST` and so on.',
  })
  code!: string;

  @Field(() => String, { description: 'The message for people.' })
  message!: string;

  /** For the stack, which is read when it is asked for. */
  runId!: string;
}

@ObjectType({ simpleResolvers: true, description: 'One try at a run.' })
export class Attempt implements MadeFrom<AttemptRecord, Attempt> {
  @Field(() => Int, { description: 'Counts the attempts of the run, from 1.' })
  number!: number;

  @Field(() => AttemptState, { description: 'How it ended, or RUNNING.' })
  state!: keyof typeof AttemptState;

  @Field(() => String, { description: 'Name of the worker; empty for external runs.' })
  workerName!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What its tensors were computed on; null before it is opened, and for external runs.',
  })
  backend!: string | null;

  @Field(() => String, { nullable: true, description: 'The device of the backend; null as `backend`.' })
  device!: string | null;

  @Field(() => stepScalar, {
    nullable: true,
    description: 'The step of the checkpoint that it began from; null: from the start.',
  })
  resumedFromStep!: number | null;

  @Field(() => String, { nullable: true, description: 'What sort of failure ended it; null where none did.' })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: 'The message of the failure; null where none ended it.' })
  errorMessage!: string | null;

  @Field(() => dateTimeScalar, { description: 'When it began.' })
  startedAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it ended; null before.' })
  endedAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: "Another run's artifact that a run needs; it waits until that is there.",
})
export class RunInput implements MadeFrom<RunInputRecord, RunInput> {
  @Field(() => String, { description: 'What the run calls it.' })
  name!: string;

  @Field(() => ID, { description: 'The run that leaves it.' })
  sourceRunId!: string;

  @Field(() => String, { description: 'Its name among the artifacts of that run.' })
  artifactName!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The sha256 of the content that it needs, of a registered version; null: what the run has.',
  })
  sha256!: string | null;

  /** For the version. */
  runId!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A setting that is not as a preset, or the defaults, have it.' })
export class PresetDifference implements MadeFrom<PresetDifferenceRecord, PresetDifference> {
  @Field(() => String, { description: 'Its dotted path: `optimizer.learningRate`, `dataset.core`.' })
  path!: string;

  @Field(() => jsonScalar, { nullable: true, description: 'What the run has; null where it has none.' })
  value!: unknown;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'What the preset, or the default, has; null where there is none.',
  })
  usual!: unknown;
}

@ObjectType({ simpleResolvers: true, description: 'One named series of a run, summed up.' })
export class MetricSummary {
  @Field(() => String, { description: 'Name of the metric, such as `test/ndcg@10`.' })
  name!: string;

  @Field(() => MetricDirection, {
    nullable: true,
    description: 'Which way it is better; null where that is not known.',
  })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => String, {
    nullable: true,
    description: 'What it measures, as Warren or a module of WARREN_KINDS says; null where neither does.',
  })
  description!: string | null;

  @Field(() => Int, { description: 'How many points it has.' })
  pointCount!: number;

  @Field(() => stepScalar, { description: 'The greatest step.' })
  lastStep!: number;

  @Field(() => metricValueScalar, { description: 'The value at the greatest step.' })
  lastValue!: number;

  @Field(() => metricValueScalar, {
    description: 'The value that stands for it by the rule of its definition; the last where it has none.',
  })
  summary!: number;

  @Field(() => SummaryRule, { nullable: true, description: 'The rule of its definition; null where it has none.' })
  summaryRule!: keyof typeof SummaryRule | null;

  @Field(() => String, { nullable: true, description: 'The metric that is its x axis; null: the step.' })
  stepMetric!: string | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'The smallest finite value; null where it has none.' })
  minimum!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'The largest finite value; null where it has none.' })
  maximum!: number | null;
}

/** Its `url` is in `resolvers/artifactResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'A file that a run left.' })
export class Artifact implements MadeFrom<ArtifactRecord, Artifact> {
  @Field(() => ID, { description: 'Identifies the artifact.' })
  id!: string;

  @Field(() => String, { description: 'Its name within the run; may have slashes.' })
  name!: string;

  @Field(() => String, { description: '`output`, or `checkpoint` for what the run would go on from.' })
  role!: string;

  @Field(() => String, { description: 'Its media type, such as `image/svg+xml`.' })
  mediaType!: string;

  @Field(() => String, { description: 'The sha256 of its bytes, as hexadecimal digits.' })
  sha256!: string;

  @Field(() => Float, { description: 'Its size in bytes, a whole number.' })
  sizeBytes!: number;

  @Field(() => stepScalar, {
    nullable: true,
    description: 'The step at which it was made; null where it belongs to none.',
  })
  step!: number | null;

  @Field(() => dateTimeScalar, { description: 'When it was stored.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'Something that happened to a run.' })
export class RunEvent implements MadeFrom<RunEventRecord, RunEvent> {
  @Field(() => ID, { description: 'Identifies the event; later ones have greater ids.' })
  id!: string;

  @Field(() => dateTimeScalar, { description: 'When it happened.' })
  time!: Date;

  @Field(() => String, { description: 'What sort of event it is, such as `claimed`, `requeued` or `ended`.' })
  type!: string;

  @Field(() => String, { description: 'What happened, for people.' })
  message!: string;

  @Field(() => jsonScalar, { description: 'What happened, for programs.' })
  data!: unknown;
}
