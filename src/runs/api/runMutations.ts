import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import { enqueueCommand } from '#src/programs/enqueueCommand.ts';
import { prioritizeRuns } from '#src/queue/prioritizeRuns.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { changeMatchingRuns, type MatchingChange } from '#src/runs/changeMatchingRuns.ts';
import { deleteRuns, restoreRuns } from '#src/runs/deleteRuns.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { retryRuns } from '#src/runs/retryRuns.ts';
import type { RunOutcome as RunOutcomeRecord } from '#src/runs/runOutcome.ts';
import { updateRun } from '#src/runs/updateRun.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { commandCodeSize } from '#src/programs/api/commandCode.ts';
import { commandServices, type GraphqlContext, requireCommandRight } from '#src/base/graphql/context.ts';
import { ChangeRunsInput } from './changeRunsInput.ts';
import { EnqueueCommandInput } from '#src/programs/api/enqueueCommandInput.ts';
import { EnqueueRunsInput } from './enqueueRunsInput.ts';
import { UpdateRunInput } from './updateRunInput.ts';
import { Run, RunOutcome, RunsChange } from './run.ts';

@Resolver()
export class RunMutations {
  @Mutation(() => [Run], {
    description:
      'Queues one run per seed. Parameters that are not given come from the preset, then from the defaults of the kind.',
  })
  async enqueueRuns(
    @Arg('input', () => EnqueueRunsInput, { description: 'What to run.' }) input: EnqueueRunsInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord[]> {
    return await enqueueRuns(services, input);
  }

  @Mutation(() => [Run], {
    description:
      "Queues a user's own program, one run per seed, for workers that were started with --allow-commands. It needs a token that allows commands. NOT_FOUND with the path `code` when the code's archive is to be sent first.",
  })
  async enqueueCommand(
    @Arg('input', () => EnqueueCommandInput, { description: 'What to run, with what.' }) input: EnqueueCommandInput,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord[]> {
    requireCommandRight(context);
    return await enqueueCommand(commandServices(context), input, commandCodeSize(context));
  }

  @Mutation(() => [RunOutcome], {
    description: 'Queued runs end at once; a running one is stopped within two seconds.',
  })
  async cancelRuns(
    @Arg('ids', () => [ID], { description: 'Ids or numbers of the runs, 1 to 1,000.' }) ids: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await cancelRuns(services, ids);
  }

  @Mutation(() => [RunOutcome], {
    description:
      'Failed, cancelled and pruned runs go back to the queue as a new attempt, from their last checkpoint; a pruned one is not stopped early again. A command needs the right to queue commands.',
  })
  async retryRuns(
    @Arg('ids', () => [ID], { description: 'Ids or numbers of the runs, 1 to 1,000.' }) ids: string[],
    @Ctx() { services, commands, mayQueueCommands }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await retryRuns(services, ids, { mayQueueCommands, commands });
  }

  @Mutation(() => [RunOutcome], {
    description: 'Gives runs that have not ended another place in the queue.',
  })
  async prioritizeRuns(
    @Arg('ids', () => [ID], { description: 'Ids or numbers of the runs, 1 to 1,000.' }) ids: string[],
    @Arg('priority', () => Int, { description: '1 is taken first, 2,097,151 last; new runs have 1,000.' })
    priority: number,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await prioritizeRuns(services, ids, priority);
  }

  @Mutation(() => Run, { description: 'Changes name, notes, tags or the seed of a run.' })
  async updateRun(
    @Arg('input', () => UpdateRunInput, { description: 'The run, and what changes.' }) input: UpdateRunInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await updateRun(services, input);
  }

  @Mutation(() => [RunOutcome], {
    description: 'Moves runs to the trash: ended ones as they are, waiting and queued ones cancelled.',
  })
  async deleteRuns(
    @Arg('ids', () => [ID], { description: 'Ids or numbers of the runs, 1 to 1,000.' }) ids: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await deleteRuns(services, ids);
  }

  @Mutation(() => RunsChange, {
    description:
      'Does one thing with all runs that match, up to 100,000, a thousand at a time; nothing where another number matches than was expected.',
  })
  async changeRuns(
    @Arg('input', () => ChangeRunsInput, { description: 'Which runs, and what is done.' }) input: ChangeRunsInput,
    @Ctx() { services, commands, mayQueueCommands }: GraphqlContext,
  ): Promise<MatchingChange> {
    return await changeMatchingRuns(services, input, { mayQueueCommands, commands });
  }

  @Mutation(() => [RunOutcome], { description: 'Takes runs back out of the trash.' })
  async restoreRuns(
    @Arg('ids', () => [ID], { description: 'Ids or numbers of the runs, 1 to 1,000.' }) ids: string[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunOutcomeRecord[]> {
    return await restoreRuns(services, ids);
  }
}
