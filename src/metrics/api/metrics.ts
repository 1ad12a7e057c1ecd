import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { CurveName as CurveNameRecord } from '#src/metrics/curveNames.ts';
import type { MetricColumns as MetricColumnsRecord } from '#src/metrics/metricHistory.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

/** Columns, never one object per point: a class resolver for each point would cost five times as much. */
@ObjectType({
  simpleResolvers: true,
  description:
    'A series in columns. Where it has more points than were asked for, or the answer more than 100,000, one entry is a bucket of points: `steps` has its last step, `values` the value there, `minimum` and `maximum` its extremes.',
})
export class MetricColumns implements MadeFrom<MetricColumnsRecord, MetricColumns> {
  @Field(() => ID, { description: 'The run that it belongs to.' })
  runId!: string;

  @Field(() => String, { description: 'Name of the metric, such as `train/loss`.' })
  name!: string;

  @Field(() => [stepScalar], { description: 'Steps in rising order.' })
  steps!: number[];

  @Field(() => [metricValueScalar], { description: 'The value at each step.' })
  values!: number[];

  @Field(() => [Float], { description: 'When each was logged, in Unix milliseconds.' })
  times!: number[];

  @Field(() => [metricValueScalar], {
    nullable: true,
    description: 'The smallest finite value of each bucket, NaN where it has none; null where every point is there.',
  })
  minimum!: number[] | null;

  @Field(() => [metricValueScalar], {
    nullable: true,
    description: 'The largest finite value of each bucket, NaN where it has none; null where every point is there.',
  })
  maximum!: number[] | null;

  @Field(() => Int, { description: 'Points in the whole series.' })
  pointCount!: number;

  @Field(() => Int, { description: 'Give it to `metricsLogged` to get only what is newer.' })
  cursor!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A metric of which runs have a curve.' })
export class CurveName implements MadeFrom<CurveNameRecord, CurveName> {
  @Field(() => String, { description: 'Name of the metric.' })
  name!: string;

  @Field(() => Int, { description: 'How many of the runs have more than one point of it.' })
  runCount!: number;

  @Field(() => Boolean, { description: 'Whether it is the x axis of other metrics in some of the runs.' })
  isAxis!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'New points of the runs that a subscription follows.' })
export class MetricsDelta {
  @Field(() => [MetricColumns], { description: 'The new points, series by series.' })
  series!: MetricColumns[];
}
