import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root, Field, Float, InputType } from 'type-graphql';
import { badInput } from '#src/base/contracts/errors.ts';
import { runImportance } from '#src/comparisons/runImportance.ts';
import { curveNames, type CurveName as CurveNameRecord } from '#src/metrics/curveNames.ts';
import { metricHistory } from '#src/metrics/metricHistory.ts';
import type { ParameterImportance as ImportanceRecord } from '#src/sweeps/search/importance/parameterImportance.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { pointsHeld } from '#src/metrics/pointsHeld.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import type { PointPlace, PointRange } from '#src/base/contracts/pointRange.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import { TYPICAL_LIST } from '#src/base/graphql/checkCost.ts';
import { historyBytes } from '#src/base/graphql/answerBudget.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { CurveName, MetricColumns } from './metrics.ts';
import { Run } from '#src/runs/api/run.ts';
import { ParameterImportance } from '#src/sweeps/api/sweepAnalysis.ts';

@InputType({ description: 'Where a point is in its series.' })
class PointPlaceInput implements PointPlace {
  @Field(() => stepScalar, { description: 'Its step.' })
  step!: number;

  @Field(() => Float, { description: 'When it was measured, in whole Unix milliseconds.' })
  timeMs!: number;
}

@InputType({
  description:
    'All points of one metric between two places, told by what they are. Points are in the order of their steps, those of one step in the order of their times.',
})
class PointRangeInput implements PointRange {
  @Field(() => String, { description: 'Name of the metric.' })
  name!: string;

  @Field(() => PointPlaceInput, { description: 'Where the first point is.' })
  first!: PointPlace;

  @Field(() => PointPlaceInput, { description: 'Where the last point is.' })
  last!: PointPlace;

  @Field(() => Int, { description: 'How many points these are, each step, time and value once.' })
  count!: number;

  @Field(() => String, {
    description:
      'Hexadecimal digits of the sha256 of the points by step, time and value, NaN last: step and time as integers of 64 bits, the value as a float of 64 bits, big-endian. NaN is 7FF8000000000000, and zero has no sign.',
  })
  sha256!: string;
}

const DEFAULT_POINTS = 500;

interface HistoryArguments {
  runIds?: string[];
  names?: string[] | null;
  maxPoints?: number | null;
}

/** A chart of 500 points of one series costs five; every run has as many series as are named, or as runs typically have. */
function historyCost({ runIds, names, maxPoints }: HistoryArguments): number {
  const charts = (runIds?.length ?? 1) * Math.max(1, names?.length ?? TYPICAL_LIST);
  return 5 * charts * Math.max(1, (maxPoints ?? DEFAULT_POINTS) / DEFAULT_POINTS);
}

/** As many points of charts cost the same. */
function heldCost({ ranges = [] }: { ranges?: PointRangeInput[] }): number {
  return ranges.length + ranges.reduce((sum, { count }) => sum + Math.max(0, count), 0) / 100;
}

/** @throws WarrenError BAD_INPUT when it is not 1 to 20,000. */
function checkedPoints(maxPoints: number | null): number {
  const points = maxPoints ?? DEFAULT_POINTS;
  if (points >= 1 && points <= LIMITS.points) return points;
  throw badInput(`maxPoints: received ${points}, expected 1 to ${LIMITS.points}`, 'maxPoints');
}

/** Names that a series can have: the database takes no text with a zero in it. */
function storable(names: string[] | null | undefined): string[] | null {
  return names?.filter((name) => !name.includes('\0')) ?? null;
}

@Resolver(() => Run)
export class MetricResolver {
  @Query(() => [MetricColumns], {
    description: 'The series of several runs, in the order of the runs asked for, then by name.',
    complexity: ({ args, childComplexity }) => historyCost(args as HistoryArguments) + childComplexity,
  })
  async metricHistory(
    @Arg('runIds', () => [ID], { description: 'Ids or numbers of the runs, 1,000 at most.' }) runIds: string[],
    @Arg('names', () => [String], { nullable: true, description: 'Names of the metrics; null: all that there are.' })
    names: string[] | null | undefined,
    @Arg('maxPoints', () => Int, {
      nullable: true,
      defaultValue: DEFAULT_POINTS,
      description: 'Points of a series at most, 1 to 20,000; a longer one is cut into so many buckets.',
    })
    maxPoints: number | null,
    @Arg('fromStep', () => stepScalar, {
      nullable: true,
      description: 'Only points from this step on; null: from the first.',
    })
    fromStep: number | null | undefined,
    @Arg('toStep', () => stepScalar, {
      nullable: true,
      description: 'Only points up to and with this step; null: to the last.',
    })
    toStep: number | null | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<MetricColumns[]> {
    const points = checkedPoints(maxPoints);
    return await loaders.budget.read(async () => {
      const series = await metricHistory(services, {
        ...{ runIds, names: storable(names), maxPoints: points },
        ...{ fromStep, toStep },
      });
      return { result: series, bytes: historyBytes(series) };
    });
  }

  @Query(() => [Boolean], {
    description:
      'Whether a run holds exactly these points, no more and no fewer, range by range: who sends a source again leaves those out.',
    complexity: ({ args }) => heldCost(args as { ranges?: PointRangeInput[] }),
  })
  async pointsHeld(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('ranges', () => [PointRangeInput], {
      description: 'The ranges, at most 2,000 with at most 100,000 points together.',
    })
    ranges: PointRangeInput[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<boolean[]> {
    return await pointsHeld(services, { runId, ranges });
  }

  @Query(() => [CurveName], {
    description: 'Metrics of which some of the runs have more than one point, by name; 5,000 at most.',
    complexity: ({ args, childComplexity }) => (args as { runIds: string[] }).runIds.length + childComplexity,
  })
  async curveNames(
    @Arg('runIds', () => [ID], { description: 'Ids or numbers of the runs, 1,000 at most.' }) runIds: string[],
    @Arg('withSingle', () => Boolean, {
      defaultValue: false,
      description: 'Also metrics of which no run has more than one point; their runCount is 0.',
    })
    withSingle: boolean,
    @Ctx() { services }: GraphqlContext,
  ): Promise<CurveNameRecord[]> {
    return await curveNames(services, runIds, withSingle);
  }

  @Query(() => [ParameterImportance], {
    description:
      'Which parameters matter to the last value of a metric over some runs, by fANOVA (Hutter and others, 2014); the most important first, empty with fewer than eight runs that have one.',
    complexity: ({ args, childComplexity }) => (args as { runIds: string[] }).runIds.length + childComplexity,
  })
  async runImportance(
    @Arg('runIds', () => [ID], { description: 'Ids or numbers of the runs, 1,000 at most.' }) runIds: string[],
    @Arg('metric', () => String, { description: 'Name of the metric.' }) metric: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ImportanceRecord[]> {
    return await runImportance(services, runIds, metric.replaceAll('\0', ''));
  }

  @FieldResolver(() => [MetricColumns], {
    description: 'The points of the metrics of the run, by name.',
    complexity: ({ args, childComplexity }) => historyCost(args as HistoryArguments) + childComplexity,
  })
  async history(
    @Root() run: RunRecord,
    @Arg('names', () => [String], { nullable: true, description: 'Names of the metrics; null: all that there are.' })
    names: string[] | null | undefined,
    @Arg('maxPoints', () => Int, {
      nullable: true,
      defaultValue: DEFAULT_POINTS,
      description: 'Points of a series at most, 1 to 20,000; a longer one is cut into so many buckets.',
    })
    maxPoints: number | null,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<MetricColumns[]> {
    return await loaders.history.load(run.id, { names: storable(names), maxPoints: checkedPoints(maxPoints) });
  }
}
