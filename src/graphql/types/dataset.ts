import { Field, ID, ObjectType } from 'type-graphql';
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

  @Field(() => [DatasetVersion], { description: 'Contents that runs have used, newest first.' })
  versions!: DatasetVersion[];
}
