import { Field, ID, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { jsonScalar } from '../scalars/jsonScalar.ts';

/** Its runs are in `resolvers/configurationResolver.ts`. */
@ObjectType({
  simpleResolvers: true,
  description: 'Kind and version, dataset with preprocessing, all parameters: shared by every run that uses it.',
})
export class Configuration {
  @Field(() => ID)
  hash!: string;

  @Field(() => String)
  kind!: string;

  @Field(() => Int)
  kindVersion!: number;

  @Field(() => String, { nullable: true, description: "The dataset's name; null for kinds that need none." })
  datasetName!: string | null;

  @Field(() => jsonScalar, { nullable: true, description: 'The dataset with its preprocessing and split.' })
  dataset!: unknown;

  @Field(() => dateTimeScalar)
  createdAt!: Date;
}
