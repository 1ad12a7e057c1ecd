import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { MetricTests as MetricTestsRecord } from '#src/runs/configurationTest.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { MetricDirection, TestedOf, TestMethod } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'Wilcoxon signed-rank test of the same pairs.' })
export class SignedRankTest {
  @Field(() => Float, { description: 'The smaller of the two sums of ranks.' })
  w!: number;

  @Field(() => Int, { description: 'Pairs that differ.' })
  n!: number;

  @Field(() => Boolean, { description: 'Whether p comes from the exact distribution.' })
  exact!: boolean;

  @Field(() => Float, { description: 'Two-sided p.' })
  p!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'One-sided p, for better than the baseline; null where the direction is not known.',
  })
  pBetter!: number | null;
}

@ObjectType({ simpleResolvers: true, description: 'A test of the difference: configuration less baseline.' })
export class DifferenceTest {
  @Field(() => TestMethod, { description: 'Which t-test it is.' })
  method!: keyof typeof TestMethod;

  @Field(() => metricValueScalar, { description: 'Mean of the configuration less mean of the baseline.' })
  difference!: number;

  @Field(() => metricValueScalar, { description: 'Lower end of the 95 % confidence interval.' })
  low!: number;

  @Field(() => metricValueScalar, { description: 'Upper end of the 95 % confidence interval.' })
  high!: number;

  @Field(() => metricValueScalar, { description: 'The t statistic.' })
  t!: number;

  @Field(() => Float, { description: 'Degrees of freedom.' })
  df!: number;

  @Field(() => Float, { description: 'Two-sided p.' })
  p!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'One-sided p, for better than the baseline; null where the direction is not known.',
  })
  pBetter!: number | null;

  @Field(() => SignedRankTest, {
    nullable: true,
    description: 'The signed-rank test of the same pairs; null where there are no pairs.',
  })
  wilcoxon!: SignedRankTest | null;
}

@ObjectType({ simpleResolvers: true, description: "How users' differences from the baseline are distributed." })
export class UserDifferences {
  @Field(() => Int, { description: 'Users above the baseline.' })
  above!: number;

  @Field(() => Int, { description: 'Users below the baseline.' })
  below!: number;

  @Field(() => Int, { description: 'Users equal to the baseline.' })
  equal!: number;

  @Field(() => metricValueScalar, { description: 'The greatest difference, either way; 0 where all are equal.' })
  limit!: number;

  @Field(() => [Int], {
    description: 'Users by their difference, in equal steps from -limit to limit; those that are equal are left out.',
  })
  counts!: number[];
}

@ObjectType({ simpleResolvers: true, description: 'One configuration against the baseline in one metric.' })
export class ConfigurationTest {
  @Field(() => ID, { description: 'The tested configuration.' })
  configurationHash!: string;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: 'Its mean over the seeds or users that are tested; null without values.',
  })
  mean!: number | null;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: "The baseline's mean over the same; null without values.",
  })
  baselineMean!: number | null;

  @Field(() => Int, { description: "Pairs of seeds or users; for Welch's test values of the configuration alone." })
  n!: number;

  @Field(() => [Int], { description: 'Seeds of the pairs; per user those of the configuration.' })
  seeds!: number[];

  @Field(() => [Int], { description: 'Seeds of the baseline that are tested.' })
  baselineSeeds!: number[];

  @Field(() => [metricValueScalar], {
    description: 'Configuration less baseline, one per shared seed; empty per user.',
  })
  differences!: number[];

  @Field(() => DifferenceTest, {
    nullable: true,
    description: 'The test; null where there is none, and `reason` says why.',
  })
  test!: DifferenceTest | null;

  @Field(() => TestedOf, { description: 'What the test speaks of: the methods, or these trained models alone.' })
  about!: keyof typeof TestedOf;

  @Field(() => Float, {
    nullable: true,
    description:
      "The p of the t-test with Holm's correction for all tests that are asked for together, of all metrics and configurations; null where it is the only one.",
  })
  pHolm!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "Wilcoxon's p with Holm's correction; null where it is the only one, or there is none.",
  })
  wilcoxonHolm!: number | null;

  @Field(() => Int, { description: "How many tests are corrected for together by Holm's method." })
  family!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why there is no test, or none of pairs, or that a configuration is compared with itself; else null.',
  })
  reason!: string | null;

  @Field(() => UserDifferences, {
    nullable: true,
    description: "How the users' differences are distributed; null where pairs are seeds, and without a test.",
  })
  users!: UserDifferences | null;
}

@ObjectType({ simpleResolvers: true, description: 'All configurations against the baseline in one metric.' })
export class MetricTests implements MadeFrom<MetricTestsRecord, MetricTests> {
  @Field(() => String, { description: 'Name of the metric.' })
  name!: string;

  @Field(() => MetricDirection, {
    nullable: true,
    description: 'Which way it is better; null where that is not known.',
  })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => [String], {
    description: 'By which rules values of runs were taken: last, min, max, mean, or at the best of another metric.',
  })
  rules!: string[];

  @Field(() => Boolean, {
    description: 'Whether they were chosen by the test data, so that a verdict says nothing about new data.',
  })
  chosenOnTest!: boolean;

  @Field(() => ID, { description: 'The configuration that the others are tested against.' })
  baselineHash!: string;

  @Field(() => [ConfigurationTest], { description: 'One entry per compared configuration, the baseline left out.' })
  tests!: ConfigurationTest[];
}
