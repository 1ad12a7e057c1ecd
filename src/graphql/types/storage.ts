import { Field, Float, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';

@ObjectType({ simpleResolvers: true, description: 'Disk use of the artifact store; bytes as whole numbers.' })
export class Storage {
  @Field(() => Int)
  files!: number;

  @Field(() => Float, { description: 'Of all files: stored, on their way in, and set aside as damaged.' })
  bytes!: number;

  @Field(() => Int)
  referencedFiles!: number;

  @Field(() => Float, { description: 'Of what artifacts refer to, the same content once.' })
  referencedBytes!: number;

  @Field(() => Int, { description: 'Files that were found damaged and set aside.' })
  damagedFiles!: number;

  @Field(() => Float, { description: 'What the volume of the store still takes.' })
  freeBytes!: number;

  @Field(() => Float)
  volumeBytes!: number;

  @Field(() => Int, { description: 'Runs in the trash (the bin).' })
  trashRuns!: number;

  @Field(() => Float, { description: 'What deleting them for good would free.' })
  trashBytes!: number;

  @Field(() => String, { nullable: true, description: 'Why nothing is removed from the store; null when all is well.' })
  problem!: string | null;

  @Field(() => dateTimeScalar)
  measuredAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A run that stays in the trash because others need what it left.' })
export class KeptRun {
  @Field(() => Int)
  number!: number;

  @Field(() => String)
  name!: string;

  @Field(() => [Int], { description: 'Numbers of the runs that use it as an input.' })
  usedBy!: number[];
}

@ObjectType({ simpleResolvers: true, description: 'What was deleted for good, or would be.' })
export class EmptiedTrash {
  @Field(() => Int)
  runs!: number;

  @Field(() => Int, { description: 'Files that nothing else refers to.' })
  files!: number;

  @Field(() => Float)
  bytes!: number;

  @Field(() => [KeptRun])
  kept!: KeptRun[];

  @Field(() => Int, { description: 'Runs that are left for another call.' })
  remaining!: number;
}
