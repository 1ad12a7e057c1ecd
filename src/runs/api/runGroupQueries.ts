import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root, Field, InputType } from 'type-graphql';
import { type RunGroup as RunGroupRecord, type RunGroupPage, runGroups } from '#src/runs/runGroups.ts';
import { unlikeData, type UnlikeData as UnlikeDataRecord } from '#src/runs/unlikeData.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { IN_TRASH, RUN_FILTER, RUN_PROJECT } from '#src/base/graphql/pageArguments.ts';
import { GroupValue, RunGroupOrderBy, SortDirection } from '#src/base/graphql/enums.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '#src/base/graphql/pageSize.ts';
import { Configuration } from './configuration.ts';
import { RunGroup, RunGroupConnection, UnlikeData } from './runGroups.ts';

@InputType({ description: 'A metric that groups of runs are summed up over.' })
class GroupMetricInput {
  @Field(() => String, { description: 'Name of the metric, such as `test/ndcg@10`.' })
  name!: string;

  @Field(() => GroupValue, { defaultValue: 'LAST', description: 'Which value of each run.' })
  at!: keyof typeof GroupValue;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of another metric: the value at the first step where that one was best, such as the test at the best validation, instead of `at`; runs without a value at that very step do not count.',
  })
  bestOf?: string | null;
}

@InputType({ description: 'An order of groups of runs.' })
class RunGroupOrder {
  @Field(() => RunGroupOrderBy, { description: 'What to order by.' })
  by!: keyof typeof RunGroupOrderBy;

  @Field(() => Int, { defaultValue: 0, description: 'Which of `metrics` it is of, from 0.' })
  metric!: number;

  @Field(() => SortDirection, { defaultValue: 'DESC', description: 'Which way; groups without a value come last.' })
  direction!: keyof typeof SortDirection;
}

/** What reading all matching runs costs, for each metric once more; curves are read for the best step of another metric. */
const MATCHES_COST = 500;
const CURVES_COST = 2_000;
/** What an aggregate of a group takes in an answer. */
const AGGREGATE_BYTES = 400;

@Resolver(() => RunGroup)
export class RunGroupQueries {
  @Query(() => RunGroupConnection, {
    description:
      'All runs that meet a filter, grouped by what they share, with metrics summed up over each group; with a baseline also whether a group is better.',
    complexity: ({ args, childComplexity }) => {
      const metrics: GroupMetricInput[] = args.metrics ?? [];
      const read = metrics.reduce(
        (sum, { bestOf }) => sum + (bestOf == null ? MATCHES_COST : CURVES_COST),
        MATCHES_COST,
      );
      return read + Math.max(0, args.first ?? DEFAULT_PAGE_SIZE) * childComplexity;
    },
  })
  async runGroups(
    @Arg('project', () => String, RUN_PROJECT) project: string | null | undefined,
    @Arg('filter', () => String, RUN_FILTER) filter: string | null | undefined,
    @Arg('inTrash', () => Boolean, IN_TRASH) inTrash: boolean | null,
    @Arg('groupBy', () => [String], {
      description:
        'What groups share, 1 to 6 fields: `kind`, `preset`, `dataset`, `project`, `user`, `state`, `tag`, `sweep`, `seed`, a path of the parameters such as `optimizer.learningRate`, `config.dataset.core`, `env.device`, or `configuration`, which is all but the seed. A run with several tags is in the group of each.',
    })
    groupBy: string[],
    @Arg('metrics', () => [GroupMetricInput], {
      nullable: true,
      description: 'Metrics to sum up, at most 20; null: none.',
    })
    metrics: GroupMetricInput[] | null | undefined,
    @Arg('orderBy', () => RunGroupOrder, {
      nullable: true,
      description: 'Their order; null: the best mean of the first metric first, without metrics the most runs.',
    })
    orderBy: RunGroupOrder | null | undefined,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 50,
      description: 'Groups of the page at most, 0 to 500.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The `endCursor` of the page before; null: the first page.',
    })
    after: string | null | undefined,
    @Arg('baseline', () => ID, {
      nullable: true,
      description:
        'Id of a group, or id or number of a run in it: every other group is tested against it over their seeds. At most 1,000 groups.',
    })
    baseline: string | null | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<RunGroupPage> {
    const selection = { project, filter, inTrash: inTrash ?? false };
    return await loaders.budget.read(async () => {
      const page = { first: pageSize(first), after: after ?? null };
      const result = await runGroups(services, { ...selection, ...page, groupBy, metrics, orderBy, baseline });
      const bytes = result.edges.reduce(
        (sum, { cursor, node }) =>
          sum + cursor.length + 2 * node.id.length + AGGREGATE_BYTES * (1 + node.metrics.length),
        0,
      );
      loaders.budget.charge(bytes);
      return { result, bytes };
    });
  }

  @Query(() => [UnlikeData], {
    description:
      'Of these metrics those whose runs, among all that meet a filter, saw different data: another dataset, preparation or split. Their values do not compare.',
    complexity: ({ args, childComplexity }) =>
      MATCHES_COST + (args as { metrics: string[] }).metrics.length * childComplexity,
  })
  async unlikeData(
    @Arg('project', () => String, RUN_PROJECT) project: string | null | undefined,
    @Arg('filter', () => String, RUN_FILTER) filter: string | null | undefined,
    @Arg('inTrash', () => Boolean, IN_TRASH) inTrash: boolean | null,
    @Arg('metrics', () => [String], { description: 'Names of metrics, at most 20.' }) metrics: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<UnlikeDataRecord[]> {
    return await unlikeData(services, { project, filter, inTrash: inTrash ?? false, metrics });
  }

  @FieldResolver(() => Configuration, {
    nullable: true,
    description: 'The configuration that all of its runs share; null where they do not.',
  })
  async configuration(
    @Root() { configurationHash }: RunGroupRecord,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<ConfigurationRecord | null> {
    return configurationHash === null ? null : await loaders.configuration.load(configurationHash);
  }
}
