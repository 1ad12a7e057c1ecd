import { Field, ID, Int, ObjectType } from 'type-graphql';
import { jsonScalar } from '../scalars/jsonScalar.ts';
import { metricValueScalar } from '../scalars/metricValueScalar.ts';
import { Configuration } from './configuration.ts';
import { MetricDirection } from './enums.ts';
import { Run } from './run.ts';

@ObjectType({ simpleResolvers: true })
export class ConfigurationField {
  @Field(() => String, { description: 'dataset.name, parameters.sigmaW, seed and so on' })
  path!: string;

  @Field(() => [jsonScalar], {
    nullable: 'items',
    description: 'One value a compared run, in their order; null where absent.',
  })
  values!: unknown[];

  @Field(() => Boolean)
  differs!: boolean;
}

@ObjectType({ simpleResolvers: true })
export class ComparedMetric {
  @Field(() => String)
  name!: string;

  @Field(() => MetricDirection, { nullable: true })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => [metricValueScalar], {
    nullable: 'items',
    description: 'One a compared run, in their order; null where absent.',
  })
  final!: (number | null)[];

  @Field(() => [metricValueScalar], { nullable: 'items' })
  best!: (number | null)[];
}

@ObjectType({ simpleResolvers: true })
export class MetricStatistics {
  @Field(() => String)
  name!: string;

  @Field(() => MetricDirection, { nullable: true })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => metricValueScalar)
  mean!: number;

  @Field(() => metricValueScalar, { nullable: true, description: 'Sample standard deviation; null for one run.' })
  standardDeviation!: number | null;

  @Field(() => Int)
  n!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Compared runs that share a configuration.' })
export class ReplicateGroup {
  @Field(() => Configuration)
  configuration!: Configuration;

  @Field(() => [ID])
  runIds!: string[];

  @Field(() => [Int])
  seeds!: number[];

  @Field(() => [MetricStatistics])
  metrics!: MetricStatistics[];
}

@ObjectType({ simpleResolvers: true })
export class Comparison {
  @Field(() => [Run])
  runs!: Run[];

  @Field(() => [ConfigurationField])
  fields!: ConfigurationField[];

  @Field(() => [ComparedMetric])
  metrics!: ComparedMetric[];

  @Field(() => [ReplicateGroup])
  groups!: ReplicateGroup[];
}
