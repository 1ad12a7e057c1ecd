import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { requireRun } from '#src/runs/findRun.ts';
import { type Lineage as LineageRecord, runLineage } from '#src/runs/runLineage.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { Lineage } from './lineage.ts';

/** About a dozen queries, whatever is asked for of the answer. */
const COST = 100;

@Resolver()
export class LineageResolver {
  @Query(() => Lineage, {
    complexity: ({ childComplexity }) => COST + childComplexity,
    description:
      'What a run was made from and what was made from it, two steps both ways: runs by their artifacts and forks, registered versions, data, its sweep, study and adaptive comparison. Only what the caller sees.',
  })
  async lineage(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<LineageRecord> {
    return await runLineage(services, await requireRun(services, runId, 'runId'));
  }
}
