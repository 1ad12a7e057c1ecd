import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { cancelRuns } from '../../services/cancelRuns.ts';
import { deleteRuns, restoreRuns } from '../../services/deleteRuns.ts';
import { enqueueRuns } from '../../services/enqueueRuns.ts';
import { retryRuns } from '../../services/retryRuns.ts';
import type { RunOutcome as RunOutcomeRecord } from '../../services/runOutcome.ts';
import { updateRun } from '../../services/updateRun.ts';
import type { RunRecord } from '../../store/runRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { EnqueueRunsInput } from '../inputs/enqueueRunsInput.ts';
import { UpdateRunInput } from '../inputs/updateRunInput.ts';
import { Run, RunOutcome } from '../types/run.ts';

@Resolver()
export class RunMutations {
  @Mutation(() => [Run])
  async enqueueRuns(
    @Arg('input', () => EnqueueRunsInput) input: EnqueueRunsInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord[]> {
    return await enqueueRuns(services, input);
  }

  @Mutation(() => [RunOutcome], {
    description: 'Queued runs end at once; a running one is stopped within two seconds.',
  })
  async cancelRuns(
    @Arg('ids', () => [ID]) ids: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await cancelRuns(services, ids);
  }

  @Mutation(() => [RunOutcome], {
    description: 'Failed and cancelled runs go back to the queue as a new attempt, from their last checkpoint.',
  })
  async retryRuns(
    @Arg('ids', () => [ID]) ids: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await retryRuns(services, ids);
  }

  @Mutation(() => Run)
  async updateRun(
    @Arg('input', () => UpdateRunInput) input: UpdateRunInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await updateRun(services, input);
  }

  @Mutation(() => [RunOutcome], {
    description: 'Moves runs to the bin: ended ones as they are, waiting and queued ones cancelled.',
  })
  async deleteRuns(
    @Arg('ids', () => [ID]) ids: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await deleteRuns(services, ids);
  }

  @Mutation(() => [RunOutcome], { description: 'Takes runs back out of the bin.' })
  async restoreRuns(
    @Arg('ids', () => [ID]) ids: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await restoreRuns(services, ids);
  }
}
