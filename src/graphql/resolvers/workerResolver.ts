import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { listWorkers } from '#src/services/workers/workers.ts';
import { addedKindsOf } from '#src/services/workers/waitsFor.ts';
import type { RunRecord } from '#src/store/runs/runRecord.ts';
import type { WorkerRecord } from '#src/store/records/workerRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { Run } from '../types/run.ts';
import { Worker } from '../types/worker.ts';

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

  @FieldResolver(() => [Run], { description: 'What it executes now.' })
  async runs(@Root() worker: WorkerRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord[]> {
    return await loaders.workerRuns.load(worker.id);
  }
}
