import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';

@InputType({ description: 'A sweep to start.' })
export class CreateSweepInput {
  @Field(() => jsonScalar, {
    nullable: true,
    description:
      "A sweep file as JSON: W&B's format (method, metric, parameters, run_cap, early_terminate, program) and Warren's own keys.",
  })
  file?: unknown;

  @Field(() => String, {
    nullable: true,
    description: 'A sweep file as text, YAML or JSON; what `file` has goes over it.',
  })
  text?: string | null;

  @Field(() => String, { nullable: true, description: "Of its runs; overrides the file's." })
  project?: string | null;

  @Field(() => String, { nullable: true, description: "What people call it; overrides the file's." })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Any words by which this call is known in its project: the same call with them again, as after an answer that was lost, answers the sweep that it started, and starts none. Null: each call starts one.',
  })
  key?: string | null;
}

@InputType({ description: 'What a sweep gets to do beside what it has.' })
export class ExtendSweepInput {
  @Field(() => ID, { description: 'Id or number of the sweep.' })
  id!: string;

  @Field(() => Int, { nullable: true, description: 'Trials beside those it has.' })
  trials?: number | null;

  @Field(() => Float, { nullable: true, description: 'Hours beside those it has, counted from its creation.' })
  hours?: number | null;

  @Field(() => Int, { nullable: true, description: 'Epochs beside those it has, trained by all runs together.' })
  epochs?: number | null;

  @Field(() => Int, { nullable: true, description: 'Trials under way at once.' })
  concurrency?: number | null;

  @Field(() => Int, { nullable: true, description: 'Ends it after so many trials without a better one.' })
  untilNothingBetterIn?: number | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'Parameters that are new, or get other values; the others stay. Not for grids.',
  })
  parameters?: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      'Any words by which this call is known to the sweep: the same call with them again, as after an answer that was lost, adds nothing. Null: each call adds to it.',
  })
  key?: string | null;
}

@InputType({ description: 'An agent that asks for a trial.' })
export class TakeTrialInput {
  @Field(() => ID, { description: 'Id or number of the sweep.' })
  sweep!: string;

  @Field(() => ID, {
    description: "A UUID of the agent's choice for the run: the same call again answers the same run.",
  })
  runId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The user name that the agent runs under; null: that of who asks, or of who made the sweep.',
  })
  user?: string | null;
}
