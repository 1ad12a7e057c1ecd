import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { drainWorker } from '#src/fleet/drainWorker.ts';
import { releaseWorker } from '#src/fleet/releaseWorker.ts';
import { listWorkers } from '#src/fleet/workers.ts';
import { addedKindsOf, leftOutModulesOf, troubleOf } from '#src/fleet/waitsFor.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { WorkerRecord } from '#src/fleet/store/workerRecord.ts';
import { type GraphqlContext, requireQueueRight } from '#src/base/graphql/context.ts';
import { LeftOutModule } from '#src/kinds/api/kindModule.ts';
import { Run } from '#src/runs/api/run.ts';
import { Worker } from './worker.ts';

@Resolver(() => Worker)
export class WorkerResolver {
  @Query(() => [Worker], { description: 'Workers by name: those that are alive.' })
  async workers(
    @Arg('includeStopped', () => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'Also those that stopped or were not heard of lately.',
    })
    includeStopped: boolean | null,
    @Ctx() { services }: GraphqlContext,
  ): Promise<WorkerRecord[]> {
    return await listWorkers(services, { includeStopped: includeStopped ?? false });
  }

  @FieldResolver(() => [String], {
    description: 'Kinds that it knows beside Warren’s own, from modules of WARREN_KINDS.',
  })
  kinds(@Root() worker: WorkerRecord): readonly string[] {
    return addedKindsOf(worker);
  }

  @FieldResolver(() => [LeftOutModule], { description: 'Modules of its WARREN_KINDS that it could not load.' })
  leftOutModules(@Root() worker: WorkerRecord): LeftOutModule[] {
    return leftOutModulesOf(worker);
  }

  @FieldResolver(() => [Run], { description: 'What it executes now.' })
  async runs(@Root() worker: WorkerRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord[]> {
    return await loaders.workerRuns.load(worker.id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What is wrong with it, for which it takes no runs until that is mended: a full disk, say; null: nothing.',
  })
  trouble(@Root() worker: WorkerRecord): string | null {
    return troubleOf(worker);
  }

  @FieldResolver(() => Boolean, {
    description: 'It was told to take no new runs, and has finished those that it had: it can be stopped.',
  })
  async drained(@Root() worker: WorkerRecord, @Ctx() { loaders }: GraphqlContext): Promise<boolean> {
    return worker.drainRequestedAt !== null && (await loaders.workerRuns.load(worker.id)).length === 0;
  }

  @Mutation(() => Worker, {
    description:
      'Has a worker take no new runs and finish those that it has. For admins, and tokens that were made with --queue.',
  })
  async drainWorker(
    @Arg('worker', () => String, { description: 'Name or id of a worker that is alive.' }) worker: string,
    @Ctx() { services, mayManageQueue }: GraphqlContext,
  ): Promise<WorkerRecord> {
    requireQueueRight({ mayManageQueue });
    return await drainWorker(services, worker, { draining: true });
  }

  @Mutation(() => Worker, {
    description:
      'Says that the machine of a worker is dead: its programs go on elsewhere at once, instead of after their release time. For admins, and tokens that were made with --queue.',
  })
  async releaseWorker(
    @Arg('worker', () => String, { description: 'Name or id of a worker that is not alive.' }) worker: string,
    @Ctx() { services, mayManageQueue }: GraphqlContext,
  ): Promise<WorkerRecord> {
    requireQueueRight({ mayManageQueue });
    return (await releaseWorker(services, worker)).worker;
  }

  @Mutation(() => Worker, { description: 'Has a worker that was drained take runs again.' })
  async undrainWorker(
    @Arg('worker', () => String, { description: 'Name or id of a worker that is alive.' }) worker: string,
    @Ctx() { services, mayManageQueue }: GraphqlContext,
  ): Promise<WorkerRecord> {
    requireQueueRight({ mayManageQueue });
    return await drainWorker(services, worker, { draining: false });
  }
}
