import { Arg, Ctx, ID, Int, Mutation, Resolver, Field, InputType } from 'type-graphql';
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
import { RunsAction } from '#src/base/graphql/enums.ts';
import { EnqueueCommandInput } from '#src/programs/api/enqueueCommandInput.ts';
import { EnqueueRunsInput } from './enqueueRunsInput.ts';
import { Run, RunOutcome, RunsChange } from './run.ts';

@InputType({ description: 'What is done with all runs that match.' })
class ChangeRunsInput {
  @Field(() => RunsAction, { description: 'What is done.' })
  action!: keyof typeof RunsAction;

  @Field(() => String, { nullable: true, description: 'Only runs of the project of this name; null: of all.' })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Only runs that meet this filter; null: all.' })
  filter?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'The runs in the trash instead of the others.' })
  inTrash!: boolean;

  @Field(() => ID, { nullable: true, description: 'Only runs of this group of `runGroups`; null: all.' })
  group?: string | null;

  @Field(() => Int, {
    description: 'How many runs match, as the caller has seen it: when it is another number by now, nothing is done.',
  })
  expected!: number;

  @Field(() => [String], { nullable: true, description: 'For TAG: tags that all of them get.' })
  addTags?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'For TAG: tags that are taken from those that have them.' })
  removeTags?: string[] | null;

  @Field(() => String, { nullable: true, description: 'For MOVE: name of the project, made where there is none.' })
  toProject?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'For EDIT: the new name of all of them; null: each keeps its own.',
  })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'For EDIT: a paragraph at the end of the notes of all; null: none.',
  })
  addNote?: string | null;
}

@InputType({ description: 'What to change of a run; fields that are left out stay.' })
class UpdateRunInput {
  @Field(() => ID, { description: 'Id or number of the run.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Its new name.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Its new notes.' })
  notes?: string | null;

  @Field(() => [String], { nullable: true, description: 'All its tags from now on.' })
  tags?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The seed of a run that its program logs by itself, while it runs; for programs that choose it after their start.',
  })
  seed?: number | null;
}

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
