import { Arg, Ctx, ID, Int, Query, Resolver, Field, ObjectType } from 'type-graphql';
import { compareRuns, type Comparison as ComparisonRecord } from '#src/comparisons/compareRuns.ts';
import { findRun } from '#src/runs/findRun.ts';
import { listRuns, type RunPage } from '#src/runs/listRuns.ts';
import { runColumns, type RunColumns as RunColumnsRecord } from '#src/runs/runColumns.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { RunOrder } from './runOrder.ts';
import { TYPICAL_LIST } from '#src/base/graphql/checkCost.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { Comparison } from '#src/comparisons/api/comparison.ts';
import { GroupValue } from '#src/base/graphql/enums.ts';
import { Run, RunConnection } from './run.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import {
  AFTER_RUNS,
  FIRST_RUNS,
  IN_TRASH,
  RUN_FILTER,
  RUN_ORDER,
  RUN_PROJECT,
} from '#src/base/graphql/pageArguments.ts';

@ObjectType({ simpleResolvers: true, description: 'Names to choose the columns of a table from.' })
class RunColumns implements MadeFrom<RunColumnsRecord, RunColumns> {
  @Field(() => [String], { description: 'Names of metrics.' })
  metrics!: string[];

  @Field(() => [String], { description: 'Paths of configuration fields, such as `parameters.epochs`.' })
  configuration!: string[];

  @Field(() => [String], {
    description:
      'Those of `configuration` in which runs that have them differ; what most configurations have comes first.',
  })
  varying!: string[];

  @Field(() => [String], { description: 'Kinds of experiments.' })
  kinds!: string[];

  @Field(() => [String], { description: 'Names of datasets.' })
  datasets!: string[];

  @Field(() => [String], { description: 'Tags.' })
  tags!: string[];

  @Field(() => [String], { description: 'Names under which texts were logged.' })
  texts!: string[];
}

/** What a compared value costs, as text. */
const CELL_BYTES = 30;

@Resolver()
export class RunQueries {
  @Query(() => Run, { nullable: true, description: 'One run, in the trash or not; null where there is none.' })
  async run(
    @Arg('id', () => ID, { description: 'Its id, or its number.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord | null> {
    return await findRun(services, id);
  }

  @Query(() => RunConnection, {
    description: 'Runs that meet a filter, page by page: a cursor stays right while runs come and go.',
  })
  async runs(
    @Arg('project', () => String, RUN_PROJECT) project: string | null | undefined,
    @Arg('filter', () => String, RUN_FILTER)
    filter: string | null | undefined,
    @Arg('orderBy', () => RunOrder, RUN_ORDER) orderBy: RunOrder | null | undefined,
    @Arg('first', () => Int, FIRST_RUNS)
    first: number | null,
    @Arg('after', () => String, AFTER_RUNS)
    after: string | null | undefined,
    @Arg('inTrash', () => Boolean, IN_TRASH) inTrash: boolean | null,
    @Arg('group', () => ID, { nullable: true, description: 'Only the runs of this group of `runGroups`; null: all.' })
    group: string | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunPage> {
    const page = { first: pageSize(first), after: after ?? null };
    return await listRuns(services, { project, filter, orderBy, group, ...page, inTrash: inTrash ?? false });
  }

  @Query(() => RunColumns, {
    description: 'Names of the metrics and configuration fields that runs of the project have: columns to choose from.',
  })
  async runColumns(
    @Arg('project', () => String, { nullable: true, description: 'Name of the project; null: all.' }) project:
      | string
      | null
      | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunColumns> {
    return await runColumns(services, { project });
  }

  @Query(() => Comparison, {
    // runs, groups, metrics and fields all grow with the runs
    complexity: ({ args, childComplexity }) =>
      5 * args.ids.length + childComplexity * Math.max(1, args.ids.length / TYPICAL_LIST),
    description: 'Several runs side by side.',
  })
  async compareRuns(
    @Arg('ids', () => [ID], { description: 'Ids or numbers of the runs.' }) ids: string[],
    @Arg('at', () => GroupValue, { nullable: true, defaultValue: 'LAST', description: 'Which value of each run.' })
    at: keyof typeof GroupValue | null,
    @Arg('bestOf', () => String, {
      nullable: true,
      description:
        'Name of another metric: the values at the first step where that one was best, instead of `at`; runs without a value at that very step do not count.',
    })
    bestOf: string | null | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<ComparisonRecord> {
    return await loaders.budget.read(async () => {
      const comparison = await compareRuns(services, ids, { at: at ?? 'LAST', bestOf });
      const cells = (comparison.fields.length + comparison.metrics.length) * comparison.runs.length;
      return { result: comparison, bytes: cells * CELL_BYTES };
    });
  }
}
