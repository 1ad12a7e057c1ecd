import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { Comparison as ComparisonRecord } from '#src/comparisons/compareRuns.ts';
import type { MetricTests as MetricTestsRecord } from '#src/runs/configurationTest.ts';
import { type Environment, environmentDifferences, whyNotComparable } from '#src/comparisons/comparedEnvironments.ts';
import { pairedTests } from '#src/comparisons/pairedTests.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { Comparison, ConfigurationField } from './comparison.ts';
import { MetricTests } from './pairedTests.ts';

/** Metrics that a test without a list of them may be of. */
const TYPICAL_METRICS = 5;
/** Tests over users read a file of each run. */
const USERS_COST = 200;
/** Environments of all runs are read. */
const TEXTS_COST = 20;

@Resolver(() => Comparison)
export class ComparisonResolver {
  @FieldResolver(() => [MetricTests], {
    description:
      'Whether each other configuration is better than the baseline: over shared seeds, or over users by what ranking runs left of each.',
    complexity: ({ args, childComplexity }) =>
      Math.max(1, args.metrics?.length ?? TYPICAL_METRICS) *
      ((args.perUser === true ? USERS_COST : 1) + childComplexity),
  })
  async pairedTests(
    @Root() comparison: ComparisonRecord,
    @Arg('metrics', () => [String], {
      nullable: true,
      description:
        'Names of the metrics to test; null: the metrics by which their kinds are compared first. Per user also any cut-off and group of users: test/ndcg@7, test/length-5-9/hr@10, test/popularity-100-up/mrr@20.',
    })
    metrics: string[] | null | undefined,
    @Arg('baseline', () => ID, {
      nullable: true,
      description: 'A run of the configuration that the others are tested against; null: the first run.',
    })
    baseline: string | null | undefined,
    @Arg('perUser', () => Boolean, { nullable: true, defaultValue: false, description: 'Pair users instead of seeds.' })
    perUser: boolean | null,
    @Ctx() { services, artifacts, signal }: GraphqlContext,
  ): Promise<MetricTestsRecord[]> {
    return await pairedTests({ db: services.db, artifacts }, comparison, {
      metrics,
      baseline,
      perUser: perUser ?? false,
      signal,
    });
  }

  @FieldResolver(() => [ConfigurationField], {
    description:
      'Facts of code and environment in which the runs differ: commit, versions, backend, device, data; times and memory are left out.',
    complexity: ({ childComplexity }) => TEXTS_COST + childComplexity,
  })
  async environment(
    @Root() comparison: ComparisonRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ReturnType<typeof environmentDifferences>> {
    return environmentDifferences(await environmentsOf(comparison, context), comparison.fields);
  }

  @FieldResolver(() => [String], {
    description:
      'Why numbers of the runs do not compare, a sentence each: other data, splits, candidates, or ties; empty where nothing speaks against it.',
    complexity: TEXTS_COST,
  })
  async notComparable(@Root() comparison: ComparisonRecord, @Ctx() context: GraphqlContext): Promise<string[]> {
    return whyNotComparable(comparison, await environmentsOf(comparison, context));
  }
}

async function environmentsOf(
  { runs }: ComparisonRecord,
  { loaders }: Pick<GraphqlContext, 'loaders'>,
): Promise<Environment[]> {
  return await Promise.all(runs.map(async ({ id }) => (await loaders.texts.load(id))?.environment ?? {}));
}
