import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { listRuns, type RunPage } from '#src/runs/listRuns.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { jsonBytes } from '#src/base/graphql/answerBudget.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { Configuration } from './configuration.ts';
import { RunConnection } from './run.ts';
import { AFTER_RUNS, FIRST_RUNS } from '#src/base/graphql/pageArguments.ts';

@Resolver(() => Configuration)
export class ConfigurationResolver {
  @Query(() => Configuration, { nullable: true, description: 'A configuration by its hash; null where there is none.' })
  async configuration(
    @Arg('hash', () => ID, { description: 'Its hash, 64 hexadecimal digits.' }) hash: string,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<ConfigurationRecord | null> {
    return /^[0-9a-f]{64}$/.test(hash) ? await loaders.configuration.load(hash) : null;
  }

  @FieldResolver(() => jsonScalar, { description: 'All parameters by name, those left at their default too.' })
  parameters(@Root() { parameters }: ConfigurationRecord, @Ctx() { loaders }: GraphqlContext): unknown {
    loaders.budget.charge(jsonBytes(parameters));
    return parameters;
  }

  @FieldResolver(() => RunConnection, {
    description: 'Replicates: the runs of this configuration, newest first.',
  })
  async runs(
    @Root() configuration: ConfigurationRecord,
    @Arg('first', () => Int, FIRST_RUNS)
    first: number | null,
    @Arg('after', () => String, AFTER_RUNS)
    after: string | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunPage> {
    const page = { first: pageSize(first), after: after ?? null };
    return await listRuns(services, { configurationHash: configuration.hash, ...page });
  }
}
