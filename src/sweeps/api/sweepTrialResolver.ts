import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { type TakenTrial as Taken, takeTrial } from '#src/sweeps/takeTrial.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { TakeTrialInput } from './sweepInputs.ts';
import { Run } from '#src/runs/api/run.ts';
import { SweepTrial, TakenTrial } from './sweep.ts';

/** A trial that knows its sweep, so that its runs can be found. */
export interface TrialOfSweep extends SweepTrial {
  sweepId: string;
}

@Resolver(() => SweepTrial)
export class SweepTrialResolver {
  @Mutation(() => TakenTrial, {
    description:
      "Gives a program of the user's own, an agent, the next run of a sweep of kind external: RUNNING, with the drawn values as its parameters. The program reports to it as to any external run; one that is silent for its lease has crashed, and its trial is given to another agent.",
  })
  async takeTrial(
    @Arg('input', () => TakeTrialInput, { description: 'Of which sweep, and for which run.' }) input: TakeTrialInput,
    @Ctx() { services, externalLeases }: GraphqlContext,
  ): Promise<Taken> {
    return await takeTrial(services, input, { leaseSeconds: externalLeases?.withHeartbeats });
  }

  @FieldResolver(() => [Run], { description: 'One for each seed; none where the kind refused its parameters.' })
  async runs(@Root() { sweepId, number }: TrialOfSweep, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord[]> {
    return await loaders.trialRuns.load({ sweepId, number });
  }
}
