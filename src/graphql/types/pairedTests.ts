import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { metricValueScalar } from '../scalars/metricValueScalar.ts';
import { MetricDirection, TestMethod } from './enums.ts';

@ObjectType({ simpleResolvers: true, description: 'Wilcoxon signed-rank test of the same pairs.' })
export class SignedRankTest {
  @Field(() => Float, { description: 'The smaller rank sum.' })
  w!: number;

  @Field(() => Int, { description: 'Pairs that differ.' })
  n!: number;

  @Field(() => Boolean, { description: 'Whether p comes from the exact distribution.' })
  exact!: boolean;

  @Field(() => Float, { description: 'Two-sided.' })
  p!: number;

  @Field(() => Float, { nullable: true, description: 'One-sided, for better than the baseline.' })
  pBetter!: number | null;
}

@ObjectType({ simpleResolvers: true, description: 'Configuration less baseline.' })
export class DifferenceTest {
  @Field(() => TestMethod)
  method!: keyof typeof TestMethod;

  @Field(() => metricValueScalar)
  difference!: number;

  @Field(() => metricValueScalar, { description: 'Lower end of the 95 % confidence interval.' })
  low!: number;

  @Field(() => metricValueScalar)
  high!: number;

  @Field(() => metricValueScalar)
  t!: number;

  @Field(() => Float, { description: 'Degrees of freedom.' })
  df!: number;

  @Field(() => Float, { description: 'Two-sided.' })
  p!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'One-sided, for better than the baseline; null where nobody knows which way is better.',
  })
  pBetter!: number | null;

  @Field(() => SignedRankTest, { nullable: true })
  wilcoxon!: SignedRankTest | null;
}

@ObjectType({ simpleResolvers: true, description: 'One configuration against the baseline in one metric.' })
export class ConfigurationTest {
  @Field(() => ID)
  configurationHash!: string;

  @Field(() => metricValueScalar, { nullable: true })
  mean!: number | null;

  @Field(() => metricValueScalar, { nullable: true })
  baselineMean!: number | null;

  @Field(() => Int, { description: "Pairs of seeds or users; for Welch's test values of the configuration alone." })
  n!: number;

  @Field(() => [Int], { description: 'Seeds of the pairs; per user those that values are means over.' })
  seeds!: number[];

  @Field(() => [metricValueScalar], { description: 'One a shared seed; empty per user.' })
  differences!: number[];

  @Field(() => DifferenceTest, { nullable: true })
  test!: DifferenceTest | null;

  @Field(() => Float, {
    nullable: true,
    description: "p with Holm's correction for all tests of the metric; null where it is the only one.",
  })
  pHolm!: number | null;

  @Field(() => Float, { nullable: true })
  wilcoxonHolm!: number | null;

  @Field(() => String, { nullable: true, description: 'Why there is no test, or none of pairs.' })
  reason!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class MetricTests {
  @Field(() => String)
  name!: string;

  @Field(() => MetricDirection, { nullable: true })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => ID)
  baselineHash!: string;

  @Field(() => [ConfigurationTest], { description: 'One a compared configuration, the baseline left out.' })
  tests!: ConfigurationTest[];
}
