import { Field, ID, InputType, Int } from 'type-graphql';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { RunState } from '#src/base/graphql/enums.ts';

@InputType({ description: 'A run that was executed and logged elsewhere.' })
export class ImportRunInput {
  @Field(() => ID, {
    description: 'A UUID that is always the same for this run of this source: the same call again changes nothing.',
  })
  id!: string;

  @Field(() => String, { description: 'Name of the project; made where there is none.' })
  project!: string;

  @Field(() => String, { description: 'Name of the run for people; set once.' })
  name!: string;

  @Field(() => jsonScalar, { nullable: true, description: 'What the program ran, free in form; null: nothing.' })
  parameters?: unknown;

  @Field(() => String, { nullable: true, description: 'Name of the data that it used; null: none.' })
  datasetName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Who started it there; set once. Null: who imports it.',
  })
  user?: string | null;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'The seed that it used: runs of equal parameters that differ in it are replicates.',
  })
  seed!: number;

  @Field(() => [String], { defaultValue: [], description: 'Words by which it is found; set once.' })
  tags!: string[];

  @Field(() => String, { nullable: true, description: 'What people should know about it; set once.' })
  notes?: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'Where the program ran and where it was logged, free in form; set once.',
  })
  environment?: unknown;

  @Field(() => RunState, {
    nullable: true,
    description: 'RUNNING, SUCCEEDED, FAILED or CANCELLED; null: RUNNING for a new run, else as it is.',
  })
  state?: keyof typeof RunState | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it started; null: as it is, or now.' })
  startedAt?: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it ended; null: as it is, or now.' })
  endedAt?: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it failed; null: no message.' })
  errorMessage?: string | null;
}
