import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { WorkerRecord } from '#src/fleet/store/workerRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

/** What it runs is in `resolvers/workerResolver.ts`. */
// By name: the bundle calls the class otherwise, since it imports Node's own `Worker`.
@ObjectType('Worker', { simpleResolvers: true, description: 'A process that executes runs.' })
export class Worker implements MadeFrom<WorkerRecord, Worker> {
  @Field(() => ID, { description: 'Identifies the process; one that is started again has another.' })
  id!: string;

  @Field(() => String, { description: 'Its name for people.' })
  name!: string;

  @Field(() => String, { description: 'Name of its machine.' })
  host!: string;

  @Field(() => Int, { description: 'Its process id on that machine.' })
  pid!: number;

  @Field(() => String, { description: 'Version of Warren that it runs.' })
  version!: string;

  @Field(() => String, { description: 'What its tensors are computed on: `tensorflow`, `webgpu`, `wasm` or `cpu`.' })
  backend!: string;

  @Field(() => String, { description: 'The device of the backend.' })
  device!: string;

  @Field(() => Boolean, { description: 'Its device is a graphics processor: it also takes runs that need one.' })
  gpu!: boolean;

  @Field(() => Int, { description: 'How many runs it executes at once.' })
  slots!: number;

  @Field(() => jsonScalar, {
    description: 'What it said about itself, free in form: its machine, its process, the datasets that it can read.',
  })
  details!: unknown;

  @Field(() => jsonScalar, {
    description: 'What it has for commands: gpus by number, memoryMb, cores, labels, slots; empty when it takes none.',
  })
  offers!: unknown;

  @Field(() => dateTimeScalar, { description: 'When it started.' })
  startedAt!: Date;

  @Field(() => dateTimeScalar, { description: 'When it last said that it lives.' })
  lastSeenAt!: Date;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description: 'When it stopped; null while it works, and where it died.',
  })
  stoppedAt!: Date | null;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description: 'Since when it is to take no new runs and finish those that it has; null while it takes them.',
  })
  drainRequestedAt!: Date | null;

  @Field(() => Boolean, { description: 'Seen in the last 30 seconds and not stopped.' })
  alive!: boolean;
}
