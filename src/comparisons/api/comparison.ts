import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Comparison as ComparisonRecord } from '#src/comparisons/compareRuns.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { Configuration } from '#src/runs/api/configuration.ts';
import { MetricDirection } from '#src/base/graphql/enums.ts';
import { Run } from '#src/runs/api/run.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'One field of the configurations of compared runs.' })
export class ConfigurationField {
  @Field(() => String, { description: 'Where it is: `dataset.name`, `parameters.sigmaW`, `seed` and so on.' })
  path!: string;

  @Field(() => [jsonScalar], {
    nullable: 'items',
    description: 'One value per compared run, in their order; null where the run lacks it.',
  })
  values!: unknown[];

  @Field(() => Boolean, { description: 'Whether the compared runs disagree.' })
  differs!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'One metric of the compared runs.' })
export class ComparedMetric {
  @Field(() => String, { description: 'Name of the metric, such as `test/ndcg@10`.' })
  name!: string;

  @Field(() => MetricDirection, {
    nullable: true,
    description: 'Which way it is better; null where that is not known.',
  })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => [metricValueScalar], {
    nullable: 'items',
    description: 'The value of each compared run by `rules`, in their order; null where the run lacks it.',
  })
  final!: (number | null)[];

  @Field(() => [String], {
    description:
      'By which rules these values were taken: last, min, max, mean, or at the best of another metric; several where programs disagree.',
  })
  rules!: string[];

  @Field(() => Boolean, {
    description: 'Whether they were chosen by the test data, so that they say nothing about new data.',
  })
  chosenOnTest!: boolean;

  @Field(() => [metricValueScalar], {
    nullable: 'items',
    description:
      'The best value of each compared run, in their order; null where the run lacks it or the direction is not known.',
  })
  best!: (number | null)[];
}

@ObjectType({
  simpleResolvers: true,
  description: 'A metric over the runs of one configuration, by the values that `ComparedMetric.final` has.',
})
export class MetricStatistics {
  @Field(() => String, { description: 'Name of the metric.' })
  name!: string;

  @Field(() => MetricDirection, {
    nullable: true,
    description: 'Which way it is better; null where that is not known.',
  })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => metricValueScalar, { description: 'Mean over the runs that have it.' })
  mean!: number;

  @Field(() => metricValueScalar, { nullable: true, description: 'Sample standard deviation; null for one run.' })
  standardDeviation!: number | null;

  @Field(() => Int, { description: 'How many runs have it.' })
  n!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Compared runs that share a configuration.' })
export class ReplicateGroup {
  @Field(() => Configuration, { description: 'The configuration that they share.' })
  configuration!: Configuration;

  @Field(() => [ID], { description: 'Ids of the runs, in the order asked for.' })
  runIds!: string[];

  @Field(() => [Int], { description: 'Their seeds, in the same order.' })
  seeds!: number[];

  @Field(() => [MetricStatistics], { description: 'Mean and deviation of each of their metrics.' })
  metrics!: MetricStatistics[];
}

@ObjectType({ simpleResolvers: true, description: 'Several runs side by side.' })
export class Comparison implements MadeFrom<ComparisonRecord, Comparison> {
  @Field(() => [Run], { description: 'The compared runs, in the order asked for, each once.' })
  runs!: Run[];

  @Field(() => [ConfigurationField], { description: 'Every field of their configurations.' })
  fields!: ConfigurationField[];

  @Field(() => [ComparedMetric], { description: 'Every metric that one of them has, by name.' })
  metrics!: ComparedMetric[];

  @Field(() => [ReplicateGroup], { description: 'Those that share a configuration, together.' })
  groups!: ReplicateGroup[];
}
