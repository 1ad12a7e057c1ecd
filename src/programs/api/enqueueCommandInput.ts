import { Field, InputType, Int } from 'type-graphql';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { RunInputReference } from '#src/runs/api/enqueueRunsInput.ts';

@InputType({ description: 'Runs of a program of your own on the queue, one per seed.' })
export class EnqueueCommandInput {
  @Field(() => String, { defaultValue: 'default', description: 'Name of the project; made where there is none.' })
  project!: string;

  @Field(() => String, { nullable: true, description: 'Name of the runs for people; null: made from the command.' })
  name?: string | null;

  @Field(() => [String], {
    description:
      'Program and arguments; {name} in them is the value of the parameter of that name, {seed} the seed, and {{name}} stands for {name}.',
  })
  command!: string[];

  @Field(() => jsonScalar, { nullable: true, description: "The command's own parameters, by name; null: none." })
  parameters?: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      'The sha256 of a .tar.gz with the code, sent with `PUT /code`; null: the program starts in an empty folder.',
  })
  code?: string | null;

  @Field(() => String, { defaultValue: '', description: 'The folder of the archive in which the program starts.' })
  folder!: string;

  @Field(() => String, {
    defaultValue: 'none',
    description:
      '`auto` installs the packages of uv.lock, or else of requirements.txt, or else the dependencies in pyproject.toml; `container:IMAGE` runs it in a container of that image; `none` installs nothing.',
  })
  environment!: string;

  @Field(() => [Int], { defaultValue: [1], description: 'One run is queued for each.' })
  seeds!: number[];

  @Field(() => Int, { defaultValue: 1000, description: 'Place in the queue: 1 is taken first, 2,097,151 last.' })
  priority!: number;

  @Field(() => [String], { defaultValue: [], description: 'Words by which the runs are found.' })
  tags!: string[];

  @Field(() => Int, { defaultValue: 5, description: 'How often each is tried when workers are lost, 1 to 100.' })
  maxAttempts!: number;

  @Field(() => Int, { defaultValue: 0, description: 'GPUs that each run gets for itself.' })
  gpus!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Memory in MiB: kept free for each run, and more ends it; null: none is kept.',
  })
  memoryMb?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Processor cores that are kept free for each run; null: none is kept.',
  })
  cores?: number | null;

  @Field(() => [String], { defaultValue: [], description: 'What the worker must be labelled with.' })
  labels!: string[];

  @Field(() => Int, { nullable: true, description: 'Seconds after which an attempt is ended; null: never.' })
  seconds?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Nobody else gets a run before so many seconds after the lease of its worker has run out, and that worker ends the program before; null: 600.',
  })
  releaseSeconds?: number | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'Where the code comes from, such as its commit; null: not known.',
  })
  origin?: unknown;

  @Field(() => [RunInputReference], {
    defaultValue: [],
    description:
      'Artifacts of runs and registered versions, which the program finds in WARREN_INPUT_DIR under their names; a version of several files is a folder. It waits for those that are not there yet.',
  })
  inputs!: RunInputReference[];

  @Field(() => String, {
    nullable: true,
    description:
      'Any words by which this call is known in its project: the same call with them again, as after an answer that was lost, answers the runs that it made, and queues none. Null: each call queues runs.',
  })
  key?: string | null;
}
