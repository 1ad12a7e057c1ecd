import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { badInput } from '../../contracts/errors.ts';
import { metricHistory } from '../../services/metricHistory.ts';
import type { GraphqlContext } from '../context.ts';
import { TYPICAL_LIST } from '../limits/checkCost.ts';
import { LIMITS } from '../limits/limits.ts';
import { MetricColumns } from '../types/metrics.ts';

const DEFAULT_POINTS = 500;
/** What a point costs in its columns, as text. */
const POINT_BYTES = 60;

interface HistoryArguments {
  runIds: string[];
  names?: string[] | null;
  maxPoints?: number | null;
}

/** A chart of 500 points of one series costs five; every run has as many series as are named, or as runs typically have. */
function historyCost({ runIds, names, maxPoints }: HistoryArguments): number {
  const charts = runIds.length * Math.max(1, names?.length ?? TYPICAL_LIST);
  return 5 * charts * Math.max(1, (maxPoints ?? DEFAULT_POINTS) / DEFAULT_POINTS);
}

@Resolver()
export class MetricResolver {
  @Query(() => [MetricColumns], {
    complexity: ({ args, childComplexity }) => historyCost(args as HistoryArguments) + childComplexity,
  })
  async metricHistory(
    @Arg('runIds', () => [ID]) runIds: string[],
    @Arg('names', () => [String], { nullable: true }) names: string[] | null | undefined,
    @Arg('maxPoints', () => Int, { nullable: true, defaultValue: DEFAULT_POINTS }) maxPoints: number | null,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<MetricColumns[]> {
    const points = maxPoints ?? DEFAULT_POINTS;
    if (points < 1 || points > LIMITS.points) {
      throw badInput(`maxPoints: received ${points}, expected 1 to ${LIMITS.points}`, 'maxPoints');
    }
    const wanted = names?.filter((name) => !name.includes('\0'));
    return await loaders.budget.read(async () => {
      const series = await metricHistory(services, { runIds, names: wanted ?? null, maxPoints: points });
      return { result: series, bytes: series.reduce((sum, { steps }) => sum + steps.length * POINT_BYTES, 0) };
    });
  }
}
