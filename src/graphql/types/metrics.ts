import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { metricValueScalar } from '../scalars/metricValueScalar.ts';
import { stepScalar } from '../scalars/stepScalar.ts';

/** Columns, never one object a point: a class resolver for each point would cost five times as much. */
@ObjectType({
  simpleResolvers: true,
  description: `A series in columns. With more points than maxPoints (or fewer, where an answer would have more than 100,000), one entry a bucket: \`steps\` is the bucket's last step, \`values\`
the value there, \`minimum\` and \`maximum\` the extremes in the bucket; otherwise the bands are null.`,
})
export class MetricColumns {
  @Field(() => ID)
  runId!: string;

  @Field(() => String)
  name!: string;

  @Field(() => [stepScalar])
  steps!: number[];

  @Field(() => [metricValueScalar])
  values!: number[];

  @Field(() => [Float], { description: 'Unix milliseconds.' })
  times!: number[];

  @Field(() => [metricValueScalar], { nullable: true })
  minimum!: number[] | null;

  @Field(() => [metricValueScalar], { nullable: true })
  maximum!: number[] | null;

  @Field(() => Int, { description: 'Points in the whole series.' })
  pointCount!: number;

  @Field(() => Int, { description: 'Give it to metricsLogged to get only what is newer.' })
  cursor!: number;
}

@ObjectType({ simpleResolvers: true })
export class MetricsDelta {
  @Field(() => [MetricColumns])
  series!: MetricColumns[];
}
