import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { invariant } from '#src/base/lib/invariant.ts';
import { cancelSweep, extendSweep, pauseSweep, resumeSweep } from '#src/sweeps/changeSweep.ts';
import { confirmSweep } from '#src/sweeps/confirmSweep.ts';
import { createSweep } from '#src/sweeps/createSweep.ts';
import { findSweep, listSweeps, requireSweep } from '#src/sweeps/findSweep.ts';
import type { SweepView } from '#src/sweeps/sweepView.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { listUntakenConfirmations } from '#src/sweeps/store/sweepConfirmation.ts';
import { listConfirmations } from '#src/sweeps/store/sweepTrial.ts';
import { pointCount } from '#src/sweeps/search/proposeTrial.ts';
import { readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import { sweepDefinitionSchema } from '#src/sweeps/search/sweepDefinition.ts';
import { commandCodeSize } from '#src/programs/api/commandCode.ts';
import { type GraphqlContext, requireCommandRight } from '#src/base/graphql/context.ts';
import { CreateSweepInput, ExtendSweepInput } from './sweepInputs.ts';
import { jsonBytes } from '#src/base/graphql/answerBudget.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { Project } from '#src/projects/api/project.ts';
import { Run } from '#src/runs/api/run.ts';
import { CreatedSweep, Sweep, SweepTrial, TrialCounts } from './sweep.ts';
import type { TrialOfSweep } from './sweepTrialResolver.ts';

const CONFIRMATIONS = 100;

@Resolver(() => Sweep)
export class SweepResolver {
  @Query(() => Sweep, { nullable: true, description: 'By id, or by number.' })
  async sweep(
    @Arg('id', () => ID, { description: 'Id or number of the sweep.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<SweepRecord | null> {
    return await findSweep(services, id);
  }

  @Query(() => [Sweep], { description: 'The newest first; `before` is the number of a sweep, to go on from there.' })
  async sweeps(
    @Arg('project', () => String, { nullable: true, description: 'Only sweeps of this project.' }) project:
      | string
      | null
      | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Sweeps at most.' }) first: number | null,
    @Arg('before', () => Int, { nullable: true, description: 'Only sweeps with a smaller number.' }) before:
      | number
      | null
      | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<SweepRecord[]> {
    return await listSweeps(services, { project, first: pageSize(first), before });
  }

  @Mutation(() => CreatedSweep, {
    description: 'Starts a sweep: its first trials are queued at once, further ones as trials end.',
  })
  async createSweep(
    @Arg('input', () => CreateSweepInput, { description: 'The sweep to start.' }) input: CreateSweepInput,
    @Ctx() context: GraphqlContext,
  ): Promise<{ sweep: SweepRecord; warnings: string[] }> {
    return await createSweep(context.services, input, {
      require: (projectId) => requireCommandRight(context, projectId),
      codeSize: commandCodeSize(context),
    });
  }

  @Mutation(() => Sweep, { description: 'Draws no more trials until it is resumed; runs under way go on.' })
  async pauseSweep(
    @Arg('id', () => ID, { description: 'Id or number of the sweep.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<SweepRecord> {
    return await pauseSweep(services, id);
  }

  @Mutation(() => Sweep, { description: 'Goes on with a paused sweep.' })
  async resumeSweep(
    @Arg('id', () => ID, { description: 'Id or number of the sweep.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<SweepRecord> {
    await requireRightFor(context, id);
    return await resumeSweep(context.services, id);
  }

  @Mutation(() => Sweep, { description: 'Ends a sweep and cancels those of its runs that have not ended.' })
  async cancelSweep(
    @Arg('id', () => ID, { description: 'Id or number of the sweep.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<SweepRecord> {
    return await cancelSweep(services, id);
  }

  @Mutation(() => Sweep, { description: 'Gives a sweep more to do; a finished one runs again.' })
  async extendSweep(
    @Arg('input', () => ExtendSweepInput, { description: 'What it gets to do.' }) input: ExtendSweepInput,
    @Ctx() context: GraphqlContext,
  ): Promise<SweepRecord> {
    await requireRightFor(context, input.id);
    return await extendSweep(context.services, input);
  }

  @Mutation(() => [Run], {
    description:
      'Queues the best trial, or another one, with seeds that the sweep has not used. Where agents execute the trials, nothing is queued and the answer is empty: the next agents that ask are given these seeds.',
  })
  async confirmSweep(
    @Arg('id', () => ID, { description: 'Id or number of the sweep.' }) id: string,
    @Arg('seeds', () => Int, { nullable: true, defaultValue: 5, description: 'How many fresh seeds.' }) seeds:
      | number
      | null,
    @Arg('trial', () => Int, { nullable: true, description: 'Another trial than the best.' }) trial:
      | number
      | null
      | undefined,
    @Arg('key', () => String, {
      nullable: true,
      description:
        'Any words by which this call is known: the same call with them again, as after an answer that was lost, answers the runs that it queued, and queues none, nor gives agents more seeds.',
    })
    key: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord[]> {
    await requireRightFor(context, id);
    return await confirmSweep(context.services, { id, seeds, trial, key });
  }

  @FieldResolver(() => Project, { description: 'To which its runs belong.' })
  async project(@Root() sweep: SweepRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord> {
    const project = await loaders.project.load(sweep.projectId);
    invariant(project !== null, `sweep ${sweep.number} has no project`);
    return project;
  }

  @FieldResolver(() => jsonScalar, {
    description: 'Method, metric, search space, what is run, seeds, concurrency, budget, all defaults filled in.',
  })
  definition(@Root() { definition }: SweepRecord, @Ctx() { loaders }: GraphqlContext): unknown {
    loaders.budget.charge(jsonBytes(definition));
    return definition;
  }

  @FieldResolver(() => [SweepTrial], {
    description: 'By number; `after` is the number of a trial, to go on from there.',
  })
  async trials(
    @Root() sweep: SweepRecord,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Trials at most.' }) first: number | null,
    @Arg('after', () => Int, { nullable: true, description: 'Only trials with a greater number.' }) after:
      | number
      | null
      | undefined,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<TrialOfSweep[]> {
    const { trials } = await loaders.sweepView.load(sweep);
    const from = (after ?? -1) + 1;
    const page = trials.slice(from, from + pageSize(first));
    loaders.budget.charge(page.reduce((sum, { point }) => sum + jsonBytes(point), 0));
    return page.map((trial) => ({ ...trial, sweepId: sweep.id }));
  }

  @FieldResolver(() => SweepTrial, { nullable: true, description: 'With the best objective so far.' })
  async best(@Root() sweep: SweepRecord, @Ctx() { loaders }: GraphqlContext): Promise<TrialOfSweep | null> {
    const { best, trials } = await loaders.sweepView.load(sweep);
    const trial = best === null ? undefined : trials[best.number];
    return trial === undefined ? null : { ...trial, sweepId: sweep.id };
  }

  @FieldResolver(() => TrialCounts, { description: 'How far its trials are.' })
  async counts(@Root() sweep: SweepRecord, @Ctx() { loaders }: GraphqlContext): Promise<TrialCounts> {
    return countTrials(await loaders.sweepView.load(sweep));
  }

  @FieldResolver(() => [Run], { description: 'Runs that confirm trials with fresh seeds: the newest 100.' })
  async confirmations(@Root() sweep: SweepRecord, @Ctx() { services }: GraphqlContext): Promise<RunRecord[]> {
    return await listConfirmations(services.db, sweep.id, CONFIRMATIONS);
  }

  @FieldResolver(() => [Int], { description: 'Seeds to confirm trials with that agents are still to take.' })
  async untakenConfirmations(@Root() sweep: SweepRecord, @Ctx() { services }: GraphqlContext): Promise<number[]> {
    const { maxAttempts } = sweepDefinitionSchema.parse(sweep.definition);
    return (await listUntakenConfirmations(services.db, sweep.id, maxAttempts)).map(({ seed }) => seed);
  }
}

/** @throws WarrenError FORBIDDEN where the sweep queues commands and the caller may not. */
async function requireRightFor(context: GraphqlContext, reference: string): Promise<void> {
  const { definition, projectId } = await requireSweep(context.services, reference);
  if (sweepDefinitionSchema.parse(definition).command !== null) requireCommandRight(context, projectId);
}

function countTrials({ definition, trials }: SweepView): TrialCounts {
  const count = (state: string) => trials.filter((trial) => trial.state === state).length;
  const points = pointCount(definition.method, readSearchSpace(definition.parameters));
  const limit = Math.min(definition.budget.trials ?? Number.POSITIVE_INFINITY, points ?? Number.POSITIVE_INFINITY);
  return {
    total: trials.length,
    running: count('RUNNING'),
    succeeded: count('SUCCEEDED'),
    failed: count('FAILED'),
    cancelled: count('CANCELLED'),
    pruned: count('PRUNED'),
    epochs: trials.reduce((sum, { epochs }) => sum + epochs, 0),
    planned: Number.isFinite(limit) ? limit : null,
  };
}
