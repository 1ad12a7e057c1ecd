import { Field, ID, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { jsonScalar } from '../scalars/jsonScalar.ts';

/** What it runs is in `resolvers/workerResolver.ts`. */
@ObjectType({ simpleResolvers: true })
export class Worker {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  host!: string;

  @Field(() => Int)
  pid!: number;

  @Field(() => String)
  version!: string;

  @Field(() => String)
  backend!: string;

  @Field(() => String)
  device!: string;

  @Field(() => Boolean, { description: 'Its device is a graphics processor: it also takes runs that need one.' })
  gpu!: boolean;

  @Field(() => Int)
  slots!: number;

  @Field(() => jsonScalar)
  details!: unknown;

  @Field(() => jsonScalar, {
    description: 'What it has for commands: gpus by number, memoryMb, cores, labels, slots; empty when it takes none.',
  })
  offers!: unknown;

  @Field(() => dateTimeScalar)
  startedAt!: Date;

  @Field(() => dateTimeScalar)
  lastSeenAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true })
  stoppedAt!: Date | null;

  @Field(() => Boolean, { description: 'Seen in the last 30 seconds and not stopped.' })
  alive!: boolean;
}
