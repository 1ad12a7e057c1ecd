import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RunRecord } from '#src/store/runs/runRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { Run } from '../types/run.ts';
import { SweepTrial } from '../types/sweep.ts';

/** A trial that knows its sweep, so that its runs can be found. */
export interface TrialOfSweep extends SweepTrial {
  sweepId: string;
}

@Resolver(() => SweepTrial)
export class SweepTrialResolver {
  @FieldResolver(() => [Run], { description: 'One for each seed; none where the kind refused its parameters.' })
  async runs(@Root() { sweepId, number }: TrialOfSweep, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord[]> {
    return await loaders.trialRuns.load({ sweepId, number });
  }
}
