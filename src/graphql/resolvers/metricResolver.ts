import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { badInput } from '../../contracts/errors.ts';
import { metricHistory } from '../../services/metricHistory.ts';
import type { GraphqlContext } from '../context.ts';
import { LIMITS } from '../limits/limits.ts';
import { MetricColumns } from '../types/metrics.ts';

const DEFAULT_POINTS = 500;

interface HistoryArguments {
  runIds: string[];
  names?: string[] | null;
  maxPoints?: number | null;
}

/** A chart of 500 points of one series costs five. */
function historyCost({ runIds, names, maxPoints }: HistoryArguments): number {
  const charts = runIds.length * Math.max(1, names?.length ?? 1);
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
    @Ctx() { services }: GraphqlContext,
  ): Promise<MetricColumns[]> {
    const points = maxPoints ?? DEFAULT_POINTS;
    if (points < 1 || points > LIMITS.points) {
      throw badInput(`maxPoints: received ${points}, expected 1 to ${LIMITS.points}`, 'maxPoints');
    }
    const wanted = names?.filter((name) => !name.includes('\0'));
    return await metricHistory(services, { runIds, names: wanted ?? null, maxPoints: points });
  }
}
