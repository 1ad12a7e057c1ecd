import { Field, ID, InputType, Int } from 'type-graphql';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';

@InputType({ description: "Another run's artifact that a run needs, or a registered version's." })
export class RunInputReference {
  @Field(() => String, { description: 'What the run calls it.' })
  name!: string;

  @Field(() => ID, { nullable: true, description: 'Id or number of the run that leaves it; null with `version`.' })
  runId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Its name among the artifacts of that run; null with `version`.',
  })
  artifactName?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Instead of a run: a registered version, as `NAME@ALIAS` or `NAME:VERSION`, with `/FILE` where it has several. What that is when the run is queued stays its input. Null with `runId`.',
  })
  version?: string | null;
}

@InputType({ description: 'Runs to be queued, one per seed.' })
export class EnqueueRunsInput {
  @Field(() => String, { defaultValue: 'default', description: 'Name of the project; made where there is none.' })
  project!: string;

  @Field(() => String, { description: 'Name of the kind to execute; `experimentKinds` lists them.' })
  kind!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of a preset of the kind, over which the other fields go; null: the defaults.',
  })
  preset?: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'Parameters that differ from the preset or the defaults; null: none.',
  })
  parameters?: unknown;

  @Field(() => jsonScalar, {
    nullable: true,
    description: "A dataset selection, such as `{ name, core, maximumUsers, split }`; null: the preset's.",
  })
  dataset?: unknown;

  @Field(() => [Int], { defaultValue: [1], description: 'One run is queued for each.' })
  seeds!: number[];

  @Field(() => Int, { defaultValue: 1000, description: 'Place in the queue: 1 is taken first, 2,097,151 last.' })
  priority!: number;

  @Field(() => [String], { defaultValue: [], description: 'Words by which the runs are found.' })
  tags!: string[];

  @Field(() => String, {
    nullable: true,
    description: 'Name of the runs for people; null: the kind, with what was set.',
  })
  name?: string | null;

  @Field(() => Int, { defaultValue: 5, description: 'How often each is tried when workers are lost, 1 to 100.' })
  maxAttempts!: number;

  @Field(() => [RunInputReference], {
    defaultValue: [],
    description: "Other runs' artifacts that they need; they wait until these are there.",
  })
  inputs!: RunInputReference[];

  @Field(() => String, {
    nullable: true,
    description:
      'Any words by which this call is known in its project: the same call with them again, as after an answer that was lost, answers the runs that it made, and queues none. Null: each call queues runs.',
  })
  key?: string | null;
}
