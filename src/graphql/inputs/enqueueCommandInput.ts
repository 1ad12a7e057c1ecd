import { Field, InputType, Int } from 'type-graphql';
import { jsonScalar } from '../scalars/jsonScalar.ts';

@InputType()
export class EnqueueCommandInput {
  @Field(() => String, { defaultValue: 'default' })
  project!: string;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => [String], {
    description:
      'Program and arguments; {name} in them is the value of the parameter of that name, {seed} the seed, and {{name}} stands for {name}.',
  })
  command!: string[];

  @Field(() => jsonScalar, { nullable: true, description: "The command's own parameters, by name." })
  parameters?: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      'The sha256 of a .tar.gz with the code, sent with PUT /code; without it the program starts in an empty folder.',
  })
  code?: string | null;

  @Field(() => String, { defaultValue: '', description: 'The folder of the archive in which the program starts.' })
  folder!: string;

  @Field(() => String, {
    defaultValue: 'none',
    description: 'auto installs the packages of requirements.txt, or the dependencies in pyproject.toml; none nothing.',
  })
  environment!: string;

  @Field(() => [Int], { defaultValue: [1] })
  seeds!: number[];

  @Field(() => Int, { defaultValue: 1000, description: '1 (first) to 2,097,151 (last).' })
  priority!: number;

  @Field(() => [String], { defaultValue: [] })
  tags!: string[];

  @Field(() => Int, { defaultValue: 5 })
  maxAttempts!: number;

  @Field(() => Int, { defaultValue: 0, description: 'GPUs that each run gets for itself.' })
  gpus!: number;

  @Field(() => Int, { nullable: true, description: 'Memory in MiB: kept free for each run, and more ends it.' })
  memoryMb?: number | null;

  @Field(() => Int, { nullable: true })
  cores?: number | null;

  @Field(() => [String], { defaultValue: [], description: 'What the worker must be labelled with.' })
  labels!: string[];

  @Field(() => Int, { nullable: true, description: 'Seconds after which an attempt is ended.' })
  seconds?: number | null;

  @Field(() => jsonScalar, { nullable: true, description: 'Where the code comes from, such as its commit.' })
  origin?: unknown;
}
