import { assertNever } from '#src/base/lib/assertNever.ts';
import type { ChangeEvent } from '#src/base/contracts/changeEvents.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type {
  ArtifactReport,
  LogLineReport,
  MetricPointReport,
  ProgressReport,
  Report,
  RestartReport,
} from '#src/base/contracts/reports.ts';
import { putArtifacts, removeCheckpoint } from '#src/artifacts/store/artifactRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { upsertDataset } from '#src/datasets/store/datasetRecord.ts';
import { insertLogLines } from '#src/logs/store/insertLogLines.ts';
import type { Holder } from '#src/runs/store/moveRun.ts';
import { lastLoggedStep } from '#src/metrics/store/metricSeries.ts';
import { recordMetricPoints } from '#src/metrics/store/recordMetricPoints.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { type FlushedRun, updateHeldRun } from '#src/attempts/store/updateHeldRun.ts';
import { forgetResumption } from '#src/runs/store/attemptRecord.ts';
import { removeLaterPoints } from '#src/metrics/store/removeLaterPoints.ts';
import { addRunEvents, listRunEvents } from '#src/runs/store/runEvent.ts';
import { judgeReports } from '../sweeps/judgeTrials.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/**
 * Forgets a checkpoint that cannot be used, and the points that the run recorded. Told again, when the checkpoint has gone,
 * it does nothing.
 */
async function beginAnew(
  connection: Connection,
  { runId, attempt }: Holder,
  { sha256, message }: RestartReport,
): Promise<void> {
  if (!(await removeCheckpoint(connection, runId, sha256))) return;
  await removeLaterPoints(connection, runId, -1);
  await forgetResumption(connection, { runId, number: attempt });
  await addRunEvents(connection, [{ runId, type: 'restarted', message, data: { attempt } }]);
}

/** Makes warnings of an attempt events of its run, each once. */
async function addWarnings(
  connection: Connection,
  { runId, attempt }: Holder,
  warnings: readonly string[],
): Promise<void> {
  if (warnings.length === 0) return;
  const told = (await listRunEvents(connection, [runId])).filter(({ data }) => data.attempt === attempt);
  const fresh = warnings.filter((message) => !told.some((event) => event.message === message));
  await addRunEvents(
    connection,
    fresh.map((message) => ({ runId, type: 'warned', message, data: { attempt } })),
  );
}

interface SortedReports {
  points: MetricPointReport[];
  lines: LogLineReport[];
  artifacts: ArtifactReport[];
  progress: ProgressReport | null;
  environment: Record<string, unknown>;
  warnings: string[];
  restart: RestartReport | null;
}

function sortReports(reports: readonly Report[]): SortedReports {
  const sorted: SortedReports = {
    points: [],
    lines: [],
    artifacts: [],
    progress: null,
    environment: {},
    warnings: [],
    restart: null,
  };
  for (const report of reports) {
    switch (report.type) {
      case 'metric':
        sorted.points.push(report);
        break;
      case 'log':
        sorted.lines.push(report);
        break;
      case 'artifact':
        sorted.artifacts.push(report);
        break;
      case 'progress':
        sorted.progress = report;
        break;
      case 'environment':
        Object.assign(sorted.environment, report.values);
        break;
      case 'warning':
        sorted.warnings.push(report.message);
        break;
      case 'restart':
        sorted.restart = report;
        break;
      default:
        assertNever(report);
    }
  }
  return sorted;
}

/**
 * Writes a batch of what an attempt has told, all of it or nothing. A batch that comes again changes nothing. Then a sweep may
 * stop the run early.
 * An environment report with a `fingerprint` (and `datasetStatistics`) also makes the dataset's content known.
 * @throws WarrenError LEASE_LOST when the attempt does not hold the run any more.
 */
export async function recordReports(
  context: Pick<ServiceContext, 'db' | 'seriesPerRun' | 'logBytes'>,
  batch: Holder & { reports: readonly Report[] },
): Promise<void> {
  if (batch.reports.length === 0) return;
  const sorted = sortReports(batch.reports);
  const { points, lines, artifacts, progress, environment } = sorted;
  const held = await inTransaction(context.db, async (connection) => {
    const facts = withoutTables(environment);
    const run = await updateHeldRun(connection, batch, { hasMetrics: points.length > 0, progress, environment: facts });
    if (run === null) {
      throw new WarrenError('LEASE_LOST', `attempt ${batch.attempt} does not hold run ${batch.runId} any more`);
    }
    if (sorted.restart !== null) await beginAnew(connection, batch, sorted.restart);
    await addWarnings(connection, batch, sorted.warnings);
    await recordMetricPoints(
      connection,
      { runId: batch.runId, cursor: run.metricCursor, mostSeries: context.seriesPerRun },
      points,
    );
    await insertLogLines(connection, batch, lines, context.logBytes);
    await putArtifacts(connection, batch, await withSteps(connection, batch.runId, artifacts));
    await rememberDataset(connection, run, environment);
    await sendNotifications(connection, notificationsOf(batch.runId, run, sorted));
    return run;
  });
  if (points.length > 0) await judgeReports(context, held);
}

/** A checkpoint whose step nobody told, as that of a command, is one of the last step that was logged. */
async function withSteps(
  connection: Connection,
  runId: string,
  artifacts: readonly ArtifactReport[],
): Promise<ArtifactReport[]> {
  const isUnknown = ({ role, step }: ArtifactReport) => role === 'checkpoint' && step === undefined;
  if (!artifacts.some(isUnknown)) return [...artifacts];
  const step = await lastLoggedStep(connection, runId);
  return artifacts.map((artifact) => (isUnknown(artifact) ? { ...artifact, step } : artifact));
}

/** Distributions and samples of the dataset are kept with the dataset; a run's environment has its counts only. */
function withoutTables(environment: Record<string, unknown>): Record<string, unknown> {
  const { datasetStatistics } = environment;
  if (typeof datasetStatistics !== 'object' || datasetStatistics === null) return environment;
  const counts = Object.entries(datasetStatistics).filter(([, value]) => typeof value !== 'object');
  return { ...environment, datasetStatistics: Object.fromEntries(counts) };
}

async function rememberDataset(
  connection: Connection,
  run: FlushedRun,
  environment: Record<string, unknown>,
): Promise<void> {
  const { fingerprint, datasetStatistics } = environment;
  if (typeof fingerprint !== 'string' || run.datasetName === null) return;
  const statistics =
    typeof datasetStatistics === 'object' && datasetStatistics !== null ? { ...datasetStatistics } : {};
  await upsertDataset(connection, { name: run.datasetName, fingerprint, statistics });
}

function notificationsOf(runId: string, run: FlushedRun, sorted: SortedReports): ChangeEvent[] {
  const notifications: ChangeEvent[] = [];
  const rowChanged = sorted.progress !== null || Object.keys(sorted.environment).length > 0;
  const told = sorted.warnings.length > 0 || sorted.restart !== null;
  if (rowChanged || told || sorted.artifacts.length > 0)
    notifications.push({ type: 'run', runId, projectId: run.projectId });
  if (sorted.points.length > 0) notifications.push({ type: 'metrics', runId, cursor: run.metricCursor });
  if (sorted.lines.length > 0) notifications.push({ type: 'logs', runId });
  return notifications;
}
