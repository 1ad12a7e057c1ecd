import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import type { Holder } from '#src/runs/store/moveRun.ts';

/** What a flush changes in the row of its run. */
export interface RunFlush {
  /** Whether the flush has metric points, for which `metric_cursor` is raised. */
  hasMetrics: boolean;
  /** 0 to 1, or null to leave it. */
  progress: { fraction: number; message: string } | null;
  /** Merged over what is recorded. */
  environment: Record<string, unknown>;
}

/** What the rest of a flush needs to know of its run. */
const flushedRow = z.object({
  projectId: z.string(),
  metricCursor: z.int(),
  datasetName: z.string().nullable(),
  sweepId: z.string().nullable(),
  /** Null for runs that confirm a trial, too. */
  sweepTrial: z.int().nullable(),
});
export type FlushedRun = z.infer<typeof flushedRow>;

/**
 * Fences a flush and applies what it changes in the run's row: only the attempt that holds the run gets through, and it
 * keeps the row locked until the transaction ends. Null when it holds the run no more.
 */
export async function updateHeldRun(
  connection: Connection,
  holder: Holder,
  flush: RunFlush,
): Promise<FlushedRun | null> {
  const { progress, hasMetrics, environment } = flush;
  const rows = await queryRows(connection, flushedRow)`
    UPDATE run SET metric_cursor = metric_cursor + ${hasMetrics ? 1 : 0}::int,
      progress = coalesce(${progress === null ? null : clampFraction(progress.fraction)}::float8, progress),
      progress_message = coalesce(${progress === null ? null : databaseText(progress.message)}::text, progress_message),
      environment = environment || ${databaseJson(environment)}::jsonb
    FROM configuration
    WHERE configuration.hash = run.configuration_hash AND run.id = ${holder.runId}::uuid
      AND run.attempt = ${holder.attempt}::int AND run.worker_id = ${holder.workerId}::uuid AND run.state = 'RUNNING'
    RETURNING run.project_id AS "projectId", run.metric_cursor AS "metricCursor",
      configuration.dataset_name AS "datasetName", run.sweep_id AS "sweepId", run.sweep_trial AS "sweepTrial"`;
  return rows[0] ?? null;
}

function clampFraction(fraction: number): number {
  return Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
}
