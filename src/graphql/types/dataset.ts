import { Field, ID, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { jsonScalar } from '../scalars/jsonScalar.ts';

@ObjectType({ simpleResolvers: true })
export class DatasetVersion {
  @Field(() => String)
  fingerprint!: string;

  @Field(() => jsonScalar)
  statistics!: unknown;

  @Field(() => dateTimeScalar)
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: "What a paper's table of statistics prints." })
export class PublishedStatistics {
  @Field(() => String)
  source!: string;

  @Field(() => Int)
  users!: number;

  @Field(() => Int)
  items!: number;

  @Field(() => Int)
  interactions!: number;

  @Field(() => String, { nullable: true, description: 'Why the numbers can differ from counted ones.' })
  note!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class Dataset {
  @Field(() => ID)
  name!: string;

  @Field(() => String)
  title!: string;

  @Field(() => String, { nullable: true })
  home!: string | null;

  @Field(() => String, { nullable: true })
  licence!: string | null;

  @Field(() => String, { nullable: true })
  citation!: string | null;

  @Field(() => Boolean, { description: 'Known to the catalog, as opposed to seen in a run only.' })
  known!: boolean;

  @Field(() => String, { nullable: true })
  description!: string | null;

  @Field(() => [PublishedStatistics], { description: 'Of the papers that use it.' })
  published!: PublishedStatistics[];

  @Field(() => [DatasetVersion], { description: 'Contents that runs have used, newest first.' })
  versions!: DatasetVersion[];
}
