import { Field, ID, Int, ObjectType } from 'type-graphql';
import { jsonScalar } from '../scalars/jsonScalar.ts';

@ObjectType({ simpleResolvers: true })
export class Preset {
  @Field(() => String)
  name!: string;

  @Field(() => String)
  description!: string;

  @Field(() => String, { nullable: true })
  dataset!: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'How the dataset is prepared and split, where that is not the default.',
  })
  selection!: unknown;

  @Field(() => jsonScalar)
  parameters!: unknown;
}

@ObjectType({ simpleResolvers: true, description: 'What can be run.' })
export class ExperimentKind {
  @Field(() => ID)
  kind!: string;

  @Field(() => Int)
  version!: number;

  @Field(() => String)
  title!: string;

  @Field(() => String)
  description!: string;

  @Field(() => String)
  source!: string;

  @Field(() => String, {
    description: 'sequences, series, series-or-none, text, or none for kinds that make their own data',
  })
  data!: string;

  @Field(() => jsonScalar, { description: 'JSON Schema of the parameters, from which a form can be drawn.' })
  parametersSchema!: unknown;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'JSON Schema of the dataset selection; null where data is none.',
  })
  datasetSchema!: unknown;

  @Field(() => [Preset])
  presets!: Preset[];

  @Field(() => String)
  primaryMetric!: string;
}
