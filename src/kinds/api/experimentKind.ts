import { Field, ID, Int, ObjectType } from 'type-graphql';
import { MetricDirection } from '#src/base/graphql/enums.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';

@ObjectType({ simpleResolvers: true, description: 'A named choice of parameters of a kind.' })
export class Preset {
  @Field(() => String, {
    description: 'Paper and what, such as `sevo/sasrec-beauty`; those under `demo/` need no data.',
  })
  name!: string;

  @Field(() => String, { description: 'What it sets up, and for which table or figure.' })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The dataset that it runs on; null where the kind makes its own data.',
  })
  dataset!: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'How the dataset is prepared and split; null: as by default.',
  })
  selection!: unknown;

  @Field(() => jsonScalar, { description: 'The parameters that differ from the defaults.' })
  parameters!: unknown;
}

@ObjectType({ simpleResolvers: true, description: 'A metric that a kind of a module of WARREN_KINDS declares.' })
export class DeclaredMetric {
  @Field(() => String, {
    description: 'The last part of its name without a cut-off: `reach` is for `test/reach@10`, too.',
  })
  name!: string;

  @Field(() => MetricDirection, { nullable: true, description: 'Which way it is better; null where neither is.' })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => String, { description: 'What it measures.' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'Where it comes from; null where the module does not say.' })
  source!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Something that can be run: a model, or one computation.' })
export class ExperimentKind {
  @Field(() => ID, { description: 'Its name.' })
  kind!: string;

  @Field(() => Int, { description: 'Raised when the same parameters would give other numbers.' })
  version!: number;

  @Field(() => String, { description: 'Its name for people.' })
  title!: string;

  @Field(() => String, { description: 'What it computes.' })
  description!: string;

  @Field(() => String, { description: 'Where the method comes from.' })
  source!: string;

  @Field(() => String, {
    description:
      'What data it needs: `sequences`, `series`, `series-or-none`, `text`, or `none` for kinds that make their own.',
  })
  data!: string;

  @Field(() => jsonScalar, { description: 'JSON Schema of the parameters, from which a form can be drawn.' })
  parametersSchema!: unknown;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'JSON Schema of the dataset selection; null where `data` is `none`.',
  })
  datasetSchema!: unknown;

  @Field(() => [Preset], { description: 'Named choices of its parameters.' })
  presets!: Preset[];

  @Field(() => String, { description: 'The metric by which its runs are compared first.' })
  primaryMetric!: string;

  @Field(() => [DeclaredMetric], {
    description: 'Metrics that its module declares; none for kinds of Warren, which knows the metrics of its own.',
  })
  metrics!: DeclaredMetric[];
}
