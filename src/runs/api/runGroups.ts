import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { GroupValue, MetricDirection, SummaryRule, Verdict } from '#src/base/graphql/enums.ts';
import { PageInfo } from '#src/base/graphql/pageInfo.ts';
import { DifferenceTest } from '#src/comparisons/api/pairedTests.ts';

@ObjectType({ simpleResolvers: true, description: 'A group of runs against the baseline in one metric.' })
export class GroupTest {
  @Field(() => Verdict, {
    nullable: true,
    description: 'At the level 0.05, corrected for all groups and metrics; null where there is no test.',
  })
  verdict!: keyof typeof Verdict | null;

  @Field(() => DifferenceTest, {
    nullable: true,
    description: 'The test over the seeds of runs that succeeded; null where there is none, and `reason` says why.',
  })
  test!: DifferenceTest | null;

  @Field(() => Float, {
    nullable: true,
    description: "Its p with Holm's correction for all groups and metrics asked for; null where it is the only one.",
  })
  pHolm!: number | null;

  @Field(() => Int, { description: "Pairs of seeds; for Welch's test the seeds of the group alone." })
  n!: number;

  @Field(() => [Int], { description: 'The seeds that were tested.' })
  seeds!: number[];

  @Field(() => Int, {
    nullable: true,
    description:
      'Further seeds of each group with which a difference of the size found would be shown with a chance of 80 %; 0 where one is shown already, null without a test or where 1,000 were too few.',
  })
  seedsNeeded!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why there is no test, or none of pairs; null where there is one.',
  })
  reason!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'One metric over the runs of a group that have it.' })
export class GroupStatistics {
  @Field(() => String, { description: 'Name of the metric.' })
  name!: string;

  @Field(() => MetricDirection, {
    nullable: true,
    description: 'Which way it is better; null where that is not known.',
  })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => Int, { description: 'Runs that have it.' })
  n!: number;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: 'Mean; null without runs. A value beyond 1e140 counts as infinite.',
  })
  mean!: number | null;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: 'Sample standard deviation; null for fewer than two runs.',
  })
  standardDeviation!: number | null;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: 'Standard error of the mean; null for fewer than two runs.',
  })
  standardError!: number | null;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: "Lower end of the mean's 95 % interval by Student's distribution; null for fewer than two runs.",
  })
  low!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'Upper end of the same interval.' })
  high!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'Least value; null without a number.' })
  minimum!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'Greatest value; null without a number.' })
  maximum!: number | null;

  @Field(() => Boolean, {
    description: 'Whether no group has a better mean; where data differ, no group that saw the same, and there is one.',
  })
  isBest!: boolean;

  @Field(() => GroupTest, {
    nullable: true,
    description: 'Against the baseline; null without one, and for the baseline itself.',
  })
  test!: GroupTest | null;
}

/** Its configuration is in `resolvers/runGroupQueries.ts`. */
@ObjectType({
  simpleResolvers: true,
  description: 'Runs that share the values of the fields that they are grouped by.',
})
export class RunGroup {
  @Field(() => ID, { description: 'Names the group: `runs(group:)` has its runs, `baseline` tests against it.' })
  id!: string;

  @Field(() => [jsonScalar], {
    nullable: 'items',
    description: 'What its runs share: one value per field, in their order; null where they have none.',
  })
  values!: unknown[];

  @Field(() => Int, { description: 'How many runs it has.' })
  runCount!: number;

  @Field(() => Boolean, { description: 'Whether it is the group that the others are tested against.' })
  isBaseline!: boolean;

  @Field(() => [GroupStatistics], { description: 'The metrics asked for, in their order.' })
  metrics!: GroupStatistics[];

  configurationHash!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A metric as groups are summed up over it.' })
export class SummedMetric {
  @Field(() => String, { description: 'Name of the metric.' })
  name!: string;

  @Field(() => GroupValue, { description: 'Which value of each run, unless `bestOf` is there.' })
  at!: keyof typeof GroupValue;

  @Field(() => String, { nullable: true, description: 'The metric at whose best step the values are; null for none.' })
  bestOf!: string | null;

  @Field(() => MetricDirection, {
    nullable: true,
    description: 'Which way it is better; null where that is not known.',
  })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => [SummaryRule], {
    description:
      'Where `at` is `LAST`: the rules by which another value than the last stands for it in some of the runs, as their programs said; `best` stands here as `min` or `max`.',
  })
  summaryRules!: (keyof typeof SummaryRule)[];
}

@ObjectType({ simpleResolvers: true, description: 'A group and its place.' })
export class RunGroupEdge {
  @Field(() => String, { description: 'Its place in the order, for `after`.' })
  cursor!: string;

  @Field(() => RunGroup, { description: 'The group.' })
  node!: RunGroup;
}

@ObjectType({ simpleResolvers: true, description: 'A page of groups of runs.' })
export class RunGroupConnection {
  @Field(() => [String], { description: 'The fields that runs are grouped by, as the filter language names them.' })
  fields!: string[];

  @Field(() => [SummedMetric], { description: 'The metrics asked for.' })
  metrics!: SummedMetric[];

  @Field(() => [RunGroupEdge], { description: 'The groups of this page.' })
  edges!: RunGroupEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more pages.' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'Groups on all pages.' })
  totalCount!: number;

  @Field(() => Int, {
    description: 'Runs in all groups; by tag a run counts once for each of its tags.',
  })
  runCount!: number;

  @Field(() => ID, { nullable: true, description: 'The group that the others are tested against; null for none.' })
  baselineId!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A metric whose values do not compare, since the runs that have it saw different data.',
})
export class UnlikeData {
  @Field(() => String, { description: 'Name of the metric.' })
  metric!: string;

  @Field(() => [String], {
    description:
      'In what the data differ, as `config.dataset` names it: `name`, `core`, `split`; the dataset itself first.',
  })
  fields!: string[];
}
