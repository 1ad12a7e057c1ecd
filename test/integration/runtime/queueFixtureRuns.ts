import { stableHash } from '#src/base/lib/stableHash.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { insertRuns } from '#src/runs/store/insertRuns.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';

export interface FixtureRuns {
  /** One of `fixtureExperiments`, which the catalog does not know. */
  kind: string;
  parameters?: Record<string, unknown>;
  count?: number;
  maxAttempts?: number;
  /** Done for the new runs before they reach the queue. */
  prepare?: (connection: Connection, runIds: string[]) => Promise<void>;
}

/** Queues runs of a fixture experiment, as `enqueueRuns` does for kinds of the catalog. */
export async function queueFixtureRuns(context: ServiceContext, wanted: FixtureRuns): Promise<RunRecord[]> {
  const { kind, parameters = {}, count = 1, maxAttempts = 5 } = wanted;
  const hash = stableHash({ kind, parameters });
  const project = await upsertProject(context.db, 'fixtures');
  await upsertConfiguration(context.db, { hash, kind, kindVersion: 1, dataset: null, datasetName: null, parameters });
  const common = {
    projectId: project.id,
    configurationHash: hash,
    priority: 1000,
    requiresGpu: false,
    maxAttempts,
    tags: [],
    user: null,
  };
  const seeds = Array.from({ length: count }, (_, seed) => ({ name: kind, seed }));
  const runs = await inTransaction(context.db, async (connection) => {
    const inserted = await insertRuns(connection, { ...common, state: 'QUEUED', attempt: 0 }, seeds);
    await wanted.prepare?.(
      connection,
      inserted.map(({ id }) => id),
    );
    return inserted;
  });
  await addRunJobs(context, runs);
  return runs;
}
