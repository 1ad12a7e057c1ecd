import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import type { MetricPointReport } from '#src/base/contracts/reports.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { type ClaimedRun, claimRun } from '#src/attempts/claimRun.ts';
import { type EnqueueRunsInput, enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { registerWorker } from '#src/fleet/workers.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';

/** Services over a database of the test file's own, closed after its tests. */
export async function servicesForTests(url: string): Promise<ServiceContext> {
  const db = openDatabase(url, { poolSize: 5 });
  const queue = await openRunQueue({ databaseUrl: url, redisUrl: null });
  atEndOfFile(async () => {
    await queue.close();
    await closeDatabase(db);
  });
  return { db, queue };
}

export interface TestWorker {
  id: string;
  name: string;
}

export async function aWorker(
  context: ServiceContext,
  name = 'worker',
  { gpu = false, details = {} }: { gpu?: boolean; details?: Record<string, unknown> } = {},
): Promise<TestWorker> {
  const id = randomUUID();
  const facts = {
    host: 'localhost',
    pid: 1,
    version: '0',
    backend: 'wasm',
    device: 'cpu',
    gpu,
    slots: 1,
    details,
  };
  await registerWorker(context, { id, name, ...facts });
  return { id, name };
}

/** Queues one run of the smallest kind. */
export async function aRun(context: ServiceContext, input: Partial<EnqueueRunsInput> = {}): Promise<RunRecord> {
  const [run] = await enqueueRuns(context, { kind: 'popularity', dataset: 'generated/markov-small', ...input });
  return run!;
}

/** Has a worker that is only pretended take a run. Nobody renews its lease: it holds until `expireLease`. */
export async function claim(
  context: ServiceContext,
  run: Pick<RunRecord, 'id'>,
  claimer: { worker: TestWorker; attempt?: number; backend?: string },
): Promise<ClaimedRun | null> {
  const { worker, attempt = 1, backend = 'wasm' } = claimer;
  const payload = { runId: run.id, attempt };
  const claimed = await claimRun(context, {
    payload,
    workerId: worker.id,
    workerName: worker.name,
    backend,
    device: 'cpu',
  });
  if (claimed !== null)
    await context.db.$executeRaw`
    UPDATE run SET lease_expires_at = now() + interval '1 hour' WHERE id = ${run.id}::uuid`;
  return claimed;
}

/** A run that `worker` holds in its first attempt. */
export async function aHeldRun(context: ServiceContext, worker: TestWorker, input: Partial<EnqueueRunsInput> = {}) {
  const run = await aRun(context, input);
  const claimed = await claim(context, run, { worker });
  expect(claimed).not.toBeNull();
  return { run: claimed!.run, holder: { runId: run.id, attempt: 1, workerId: worker.id } };
}

/** The report of a checkpoint of ten bytes. */
export function checkpoint(step: number) {
  return {
    type: 'artifact',
    name: 'checkpoint/latest',
    role: 'checkpoint',
    mediaType: 'application/octet-stream',
    sha256: 'a'.repeat(64),
    sizeBytes: 10,
    step,
  } as const;
}

export function point(name: string, step: number, value: number): MetricPointReport {
  return { type: 'metric', name, step, value, timeMs: Date.UTC(2026, 10, 21) + step };
}

/** Makes the lease of a run run out, as if its worker had been silent. */
export async function expireLease(context: ServiceContext, runId: string): Promise<void> {
  await context.db.run.update({ where: { id: runId }, data: { leaseExpiresAt: new Date(Date.now() - 1_000) } });
}
