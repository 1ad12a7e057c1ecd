import { expect } from 'vitest';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { aWorker, claim, point } from './support.ts';

/** Ends queued runs as a worker does: each leaves the metrics given, on a dataset of that content. */
export async function executeRuns(
  context: ServiceContext,
  runs: readonly RunRecord[],
  {
    metrics,
    fingerprint = 'f'.repeat(64),
    files = () => ({}),
  }: {
    metrics: (run: RunRecord) => Record<string, number>;
    fingerprint?: string;
    /** The sha256 of what each leaves, by name. */
    files?: (run: RunRecord) => Record<string, string>;
  },
): Promise<void> {
  const worker = await aWorker(context);
  for (const run of runs) {
    expect(await claim(context, run, { worker })).not.toBeNull();
    const holder = { runId: run.id, attempt: 1, workerId: worker.id };
    const environment = { type: 'environment', values: { fingerprint, commit: 'c0ffee', cpu: 'two cores' } } as const;
    const points = Object.entries(metrics(run)).map(([name, value]) => point(name, 0, value));
    const artifacts = Object.entries(files(run)).map(([name, sha256]) => artifact(name, sha256));
    await recordReports(context, { ...holder, reports: [environment, ...points, ...artifacts] });
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
  }
}

function artifact(name: string, sha256: string) {
  const content = { mediaType: 'application/octet-stream', sha256, sizeBytes: 1 };
  return { type: 'artifact' as const, name, role: 'output' as const, ...content };
}
