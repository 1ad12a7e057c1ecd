import { Field, ID, InputType, Int } from 'type-graphql';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';

@InputType({ description: 'Where a run branches off from another.' })
export class ForkInput {
  @Field(() => ID, { description: 'Id or number of the other run.' })
  runId!: string;

  @Field(() => stepScalar, { description: 'The last step that the new run takes from it.' })
  step!: number;
}

@InputType({ description: 'A run that a program of yours executes.' })
export class CreateRunInput {
  @Field(() => ID, {
    nullable: true,
    description:
      "A UUID of the program's choice: the same call again answers the run that is there, and several processes of one job share one run.",
  })
  id?: string | null;

  @Field(() => String, { defaultValue: 'default', description: 'Name of the project; made where there is none.' })
  project!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the run for people; null: that of the script in `environment.program`, or `external`.',
  })
  name?: string | null;

  @Field(() => jsonScalar, { nullable: true, description: 'What the program ran, free in form.' })
  parameters?: unknown;

  @Field(() => String, { nullable: true, description: 'Name of the data that it uses; null: none.' })
  datasetName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The user name that the program runs under; null: who asks.',
  })
  user?: string | null;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'The seed that it uses: runs of equal parameters that differ in it are replicates.',
  })
  seed!: number;

  @Field(() => [String], { defaultValue: [], description: 'Words by which it is found.' })
  tags!: string[];

  @Field(() => String, { nullable: true, description: 'What people should know about it.' })
  notes?: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'Where the program runs: arguments, versions, host, commit; free in form.',
  })
  environment?: unknown;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether the program calls `heartbeat` while it has nothing to report, every 20 s or so: it then counts as crashed after a shorter silence (60 s unless the server says otherwise, 15 minutes without heartbeats).',
  })
  heartbeats!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds of silence after which the run counts as CRASHED; null: what goes with `heartbeats`.',
  })
  leaseSeconds?: number | null;

  @Field(() => ForkInput, {
    nullable: true,
    description:
      'Branches off from another run: with its points up to the step, its parameters (those given here go over them) and its data. Null: begins anew.',
  })
  forkFrom?: ForkInput | null;
}
