import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

/** Its runs are in `resolvers/configurationResolver.ts`. */
@ObjectType({
  simpleResolvers: true,
  description: 'Kind and version, dataset with preprocessing, all parameters: shared by every run that uses it.',
})
export class Configuration implements MadeFrom<ConfigurationRecord, Configuration> {
  @Field(() => ID, { description: 'The sha256 of its content: the same configuration has the same hash everywhere.' })
  hash!: string;

  @Field(() => String, { description: 'Name of the kind that is executed.' })
  kind!: string;

  @Field(() => Int, {
    description: 'Version of the kind: it is raised when the same parameters would give other numbers.',
  })
  kindVersion!: number;

  @Field(() => String, { nullable: true, description: "The dataset's name; null for kinds that need none." })
  datasetName!: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'The dataset with its preprocessing and split; null for kinds that need none.',
  })
  dataset!: unknown;

  @Field(() => dateTimeScalar, { description: 'When it was first used.' })
  createdAt!: Date;
}
