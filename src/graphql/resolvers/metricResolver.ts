import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { badInput } from '#src/contracts/errors.ts';
import { metricHistory } from '#src/services/reports/metricHistory.ts';
import type { RunRecord } from '#src/store/runs/runRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { TYPICAL_LIST } from '../limits/checkCost.ts';
import { historyBytes } from '../limits/answerBudget.ts';
import { LIMITS } from '../limits/limits.ts';
import { MetricColumns } from '../types/metrics.ts';
import { Run } from '../types/run.ts';

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
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<MetricColumns[]> {
    const points = checkedPoints(maxPoints);
    return await loaders.budget.read(async () => {
      const series = await metricHistory(services, { runIds, names: storable(names), maxPoints: points });
      return { result: series, bytes: historyBytes(series) };
    });
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
