import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root, Field, ID, ObjectType } from 'type-graphql';
import { invariant } from '#src/base/lib/invariant.ts';
import { type RunBundle as RunBundleRecord, type RunBundlePage, runBundles } from '#src/runs/runBundles.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { RUN_FILTER, RUN_PROJECT } from '#src/base/graphql/pageArguments.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '#src/base/graphql/pageSize.ts';
import { Run } from './run.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { PageInfo } from '#src/base/graphql/pageInfo.ts';
import { Sweep } from '#src/sweeps/api/sweep.ts';

/** Its sweep and its newest run need another look into the database: `resolvers/runBundleQueries.ts`. */
@ObjectType({ simpleResolvers: true, description: 'A run, or all matching runs of one sweep or of one study.' })
class RunBundle implements MadeFrom<RunBundleRecord, RunBundle> {
  @Field(() => ID, { nullable: true, description: 'Name of the study that queued them; null for others.' })
  study!: string | null;

  @Field(() => Int, { description: 'How many of its runs match.' })
  runCount!: number;

  @Field(() => Int, { description: 'How many of them failed or crashed.' })
  failedCount!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A bundle within a page.' })
class RunBundleEdge implements MadeFrom<RunBundlePage['edges'][number], RunBundleEdge> {
  @Field(() => String, { description: 'Its position, to be given as `after`.' })
  cursor!: string;

  @Field(() => RunBundle, { description: 'The bundle.' })
  node!: RunBundle;
}

@ObjectType({ simpleResolvers: true, description: 'A page of bundles.' })
class RunBundleConnection {
  @Field(() => [RunBundleEdge], { description: 'The bundles of the page.' })
  edges!: RunBundleEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'How many bundles there are on all pages.' })
  totalCount!: number;

  @Field(() => Int, { description: 'How many runs they have together.' })
  runCount!: number;
}

/** What reading all matching runs costs. */
const MATCHES_COST = 500;

@Resolver(() => RunBundle)
export class RunBundleQueries {
  @Query(() => RunBundleConnection, {
    description:
      'Runs that meet a filter, page by page, those of one sweep or of one study as one entry: first the one in which a run began or ended last.',
    complexity: ({ args, childComplexity }) =>
      MATCHES_COST + Math.max(0, args.first ?? DEFAULT_PAGE_SIZE) * childComplexity,
  })
  async runBundles(
    @Arg('project', () => String, RUN_PROJECT) project: string | null | undefined,
    @Arg('filter', () => String, RUN_FILTER) filter: string | null | undefined,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 50,
      description: 'Bundles of the page at most, 0 to 500.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The `endCursor` of the page before; null: the first page.',
    })
    after: string | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunBundlePage> {
    return await runBundles(services, { project, filter, first: pageSize(first), after: after ?? null });
  }

  @FieldResolver(() => Run, { description: 'That of its runs which began or ended last.' })
  async newest(@Root() { newestId }: RunBundleRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord> {
    const run = await loaders.run.load(newestId);
    invariant(run !== null, `run ${newestId} of a bundle`);
    return run;
  }

  @FieldResolver(() => Sweep, { nullable: true, description: 'The sweep to which its runs belong; null for others.' })
  async sweep(@Root() { sweepId }: RunBundleRecord, @Ctx() { loaders }: GraphqlContext): Promise<SweepRecord | null> {
    return sweepId === null ? null : await loaders.sweep.load(sweepId);
  }
}
