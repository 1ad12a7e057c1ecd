import { Field, ID, InputType, Int } from 'type-graphql';
import { jsonScalar } from '../scalars/jsonScalar.ts';

@InputType()
export class CreateRunInput {
  @Field(() => ID, {
    nullable: true,
    description:
      "A UUID of the program's choice: the same call again answers the run that is there, and several processes of one job share one run.",
  })
  id?: string | null;

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

  @Field(() => String, { nullable: true })
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
    description: 'Silence after which the run counts as CRASHED; what goes with `heartbeats` unless given.',
  })
  leaseSeconds?: number | null;
}
