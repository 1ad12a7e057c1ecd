import { Field, Float, ID, InputType, Int } from 'type-graphql';

@InputType({ description: 'An adaptive comparison to start.' })
export class DecideInput {
  @Field(() => ID, {
    description: "Id or number of a run of the first configuration, or its hash's first 8 digits or more.",
  })
  a!: string;

  @Field(() => ID, { description: 'The same of the second.' })
  b!: string;

  @Field(() => String, { description: 'The metric, whose last value counts.' })
  metric!: string;

  @Field(() => Float, {
    nullable: true,
    description: 'Chance to find a difference where there is none, over all looks together; default 0.05.',
  })
  alpha?: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Chance to find the difference that the plan is made for; default 0.8.',
  })
  power?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pairs of runs at most, 3 to 50; default 20.' })
  atMost?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pairs between looks; default 1.' })
  every?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'How alpha is spent over the looks: obrien-fleming (default), little early, or pocock, evenly, which decides large differences earlier.',
  })
  spending?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Seed of the first pair; default 1. Each further pair has the next.',
  })
  firstSeed?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pairs under way at once; default 1.' })
  parallel?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it ends where it is futile; default true.' })
  stopsFutile?: boolean | null;

  @Field(() => String, { nullable: true, description: "Of the new runs; default that of a's run." })
  project?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Any words by which this call is known in its project: the same call with them again, as after an answer that was lost, answers the comparison that it started, and starts none. Null: each call starts one.',
  })
  key?: string | null;
}
