import { Field, ID, InputType, Int } from 'type-graphql';
import { jsonScalar } from '../scalars/jsonScalar.ts';

@InputType()
export class RunInputReference {
  @Field(() => String)
  name!: string;

  @Field(() => ID)
  runId!: string;

  @Field(() => String)
  artifactName!: string;
}

@InputType()
export class EnqueueRunsInput {
  @Field(() => String, { defaultValue: 'default' })
  project!: string;

  @Field(() => String)
  kind!: string;

  @Field(() => String, { nullable: true })
  preset?: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'Parameters that differ from the preset or the defaults.',
  })
  parameters?: unknown;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'A dataset selection: { name, core, maximumUsers, split }.',
  })
  dataset?: unknown;

  @Field(() => [Int], { defaultValue: [1] })
  seeds!: number[];

  @Field(() => Int, { defaultValue: 1000, description: '1 (first) to 2,097,151 (last).' })
  priority!: number;

  @Field(() => [String], { defaultValue: [] })
  tags!: string[];

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => Int, { defaultValue: 5 })
  maxAttempts!: number;

  @Field(() => [RunInputReference], { defaultValue: [] })
  inputs!: RunInputReference[];
}
