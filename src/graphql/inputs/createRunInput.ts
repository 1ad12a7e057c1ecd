import { Field, InputType, Int } from 'type-graphql';
import { jsonScalar } from '../scalars/jsonScalar.ts';

@InputType()
export class CreateRunInput {
  @Field(() => String, { defaultValue: 'default' })
  project!: string;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => jsonScalar, { nullable: true, description: 'What the program ran, free in form.' })
  parameters?: unknown;

  @Field(() => String, { nullable: true })
  datasetName?: string | null;

  @Field(() => Int, { defaultValue: 0 })
  seed!: number;

  @Field(() => [String], { defaultValue: [] })
  tags!: string[];
}
