import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { DatasetRecord } from '#src/datasets/store/datasetRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'One content that runs found under the name of a dataset.' })
export class DatasetVersion implements MadeFrom<DatasetRecord, DatasetVersion> {
  @Field(() => String, { description: 'The sha256 of the content in a form that does not depend on the file.' })
  fingerprint!: string;

  @Field(() => jsonScalar, {
    description: 'What was counted in it: users, items, interactions, or series and classes.',
  })
  statistics!: unknown;

  @Field(() => dateTimeScalar, { description: 'When a run first used it.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: "What a paper's table of statistics prints." })
export class PublishedStatistics {
  @Field(() => String, { description: 'Paper and table.' })
  source!: string;

  @Field(() => Int, { description: 'Users that it prints.' })
  users!: number;

  @Field(() => Int, { description: 'Items that it prints.' })
  items!: number;

  @Field(() => Int, { description: 'Interactions that it prints.' })
  interactions!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why the numbers can differ from counted ones; null where they should not.',
  })
  note!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Data that runs use, by name.' })
export class Dataset {
  @Field(() => ID, { description: 'The name by which runs select it.' })
  name!: string;

  @Field(() => String, { description: 'Its name for people.' })
  title!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Address of its public home; null where the catalog does not know it.',
  })
  home!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Terms under which it may be used, in words; null where the catalog does not know it.',
  })
  licence!: string | null;

  @Field(() => String, { nullable: true, description: 'What to cite; null where the catalog does not know it.' })
  citation!: string | null;

  @Field(() => Boolean, { description: 'Whether the catalog knows it, as opposed to seen in a run only.' })
  known!: boolean;

  @Field(() => String, { nullable: true, description: 'What it holds; null where the catalog does not know it.' })
  description!: string | null;

  @Field(() => [PublishedStatistics], { description: 'What the papers that use it print about it.' })
  published!: PublishedStatistics[];

  @Field(() => [DatasetVersion], { description: 'Contents that runs have used, newest first.' })
  versions!: DatasetVersion[];
}
