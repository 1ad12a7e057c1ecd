import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { isStorableTime } from '#src/base/contracts/storableTime.ts';
import type { ArtifactReport, LogLevel } from '#src/base/contracts/reports.ts';
import { type ArtifactRecord, findArtifact, putArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { insertLogLines } from '#src/logs/store/insertLogLines.ts';
import { type MetricPointInput, pointColumns } from '#src/metrics/store/pointColumns.ts';
import { recordMetricPoints } from '#src/metrics/store/recordMetricPoints.ts';
import { recordRepeatedPoints } from '#src/metrics/store/recordRepeatedPoints.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { hearExternalRun, hearProgram, lockRun, whyRefused } from '#src/runs/externalRun.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import { judgeReports } from '../sweeps/judgeTrials.ts';
import { logGrouped } from './pointGroups.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface MetricPointsInput {
  name: string;
  steps: readonly number[];
  values: readonly number[];
  /** Unix milliseconds; now when left out. */
  times?: readonly number[] | null | undefined;
}

export interface LogLineInput {
  level?: LogLevel | undefined;
  text: string;
  /** Unix milliseconds; now when left out. */
  time?: number | null | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MOST_POINTS = 100_000;
const LARGEST_STEP = 2 ** 53;
const MOST_LINES = 10_000;
const LONGEST_LINE = 100_000;
const LONGEST_MESSAGE = 1_000;

/**
 * Writes points of an external run, or of a command that is executed; a point that is there already stays as it is.
 * @param input.repeated Keeps every different value of a step, also of steps below 0; the newest stands for it.
 * @returns how many were new.
 */
export async function logExternalMetrics(
  context: Pick<ServiceContext, 'db' | 'seriesPerRun'>,
  input: { runId: string; series: readonly MetricPointsInput[]; repeated?: boolean; attempt?: RunAttempt | undefined },
): Promise<number> {
  const atOnce = input.repeated === true ? null : await logAtOnce(context, input);
  if (atOnce !== null) return atOnce;
  const points = pointsOf(input.series, { nowMs: Date.now(), leastStep: input.repeated === true ? -LARGEST_STEP : 0 });
  const { heard, inserted } = await inTransaction(context.db, async (connection) => {
    const report = { hasMetrics: points.length > 0, attempt: input.attempt };
    const heard = await hearProgram(connection, input.runId, report);
    const { id: runId, metricCursor: cursor } = heard;
    const record = input.repeated === true ? recordRepeatedPoints : recordMetricPoints;
    const inserted = await record(connection, { runId, cursor, mostSeries: context.seriesPerRun }, points);
    if (inserted > 0) await sendNotifications(connection, [{ type: 'metrics', runId, cursor }]);
    return { heard, inserted };
  });
  if (inserted > 0) await judgeReports(context, heard);
  return inserted;
}

/**
 * As `logExternalMetrics` for what programs send nearly always, in one round trip, together with other calls.
 * @returns null where that does not serve: nothing is written then, or the same call again changes nothing.
 */
export async function logAtOnce(
  context: Pick<ServiceContext, 'db'>,
  { runId, series }: { runId: string; series: readonly MetricPointsInput[] },
): Promise<number | null> {
  const points = pointsOf(series, { nowMs: Date.now(), leastStep: 0 });
  if (points.length === 0 || !UUID.test(runId)) return null;
  const logged = await logGrouped(context.db, { runId: runId.toLowerCase(), points: pointColumns(points) });
  if (logged === null) return null;
  if (logged.inserted > 0) await judgeReports(context, logged);
  return logged.inserted;
}

function pointsOf(
  series: readonly MetricPointsInput[],
  { nowMs, leastStep }: { nowMs: number; leastStep: number },
): MetricPointInput[] {
  const points: MetricPointInput[] = [];
  for (const [index, { name, steps, values, times }] of series.entries()) {
    const path = `series[${index}]`;
    const count = steps.length;
    if (values.length !== count) {
      throw badInput(`${path}.values: ${values.length} values for ${count} steps`, `${path}.values`);
    }
    if (times != null && times.length !== count) {
      throw badInput(`${path}.times: ${times.length} times for ${count} steps`, `${path}.times`);
    }
    if (points.length + count > MOST_POINTS) {
      throw badInput(`series: at most ${MOST_POINTS.toLocaleString('en')} points at a time`, 'series');
    }
    for (let i = 0; i < count; i++) {
      if (steps[i]! < leastStep) {
        const what = `${path}.steps[${i}]`;
        throw badInput(`${what}: ${steps[i]} is below 0; steps are whole numbers from 0 to 2^53`, what);
      }
      points.push({ name, step: steps[i]!, value: values[i]!, timeMs: times?.[i] ?? nowMs });
    }
  }
  return points;
}

/**
 * Writes log lines of an external run.
 * @param input.from Number of the first line: the same call again changes nothing.
 * @returns how many were new.
 */
export async function logExternalLines(
  context: Pick<ServiceContext, 'db' | 'logBytes'>,
  input: { runId: string; from: number; lines: readonly LogLineInput[] },
): Promise<number> {
  const from = checkedInteger(input.from, { path: 'from', minimum: 0, maximum: 2_000_000_000 });
  if (input.lines.length > MOST_LINES) {
    throw badInput(`lines: at most ${MOST_LINES.toLocaleString('en')} at a time`, 'lines');
  }
  const nowMs = Date.now();
  const lines = input.lines.map(({ level = 'info', text, time }, index) => {
    if (text.length > LONGEST_LINE) {
      const limit = LONGEST_LINE.toLocaleString('en');
      throw badInput(`lines[${index}].text: at most ${limit} characters, received ${text.length}`, 'lines');
    }
    const timeMs = time ?? nowMs;
    if (!isStorableTime(timeMs)) {
      throw badInput(
        `lines[${index}].time: ${timeMs} is not a Unix time in milliseconds before the year 10000`,
        'lines',
      );
    }
    return { line: from + index, level, text, timeMs };
  });
  return await inTransaction(context.db, async (connection) => {
    const run = await hearExternalRun(connection, input.runId);
    const inserted = await insertLogLines(connection, { runId: run.id, attempt: run.attempt }, lines, context.logBytes);
    if (inserted > 0) await sendNotifications(connection, [{ type: 'logs', runId: run.id }]);
    return inserted;
  });
}

/**
 * Says that the program of a run lives, and how far it is.
 * @param input.progress 0 to 1, left as it is when not given; so is the message.
 */
export async function hearHeartbeat(
  context: Pick<ServiceContext, 'db'>,
  input: {
    runId: string;
    progress?: number | null | undefined;
    progressMessage?: string | null | undefined;
    attempt?: RunAttempt | undefined;
  },
): Promise<RunRecord> {
  const { runId, progress, progressMessage, attempt } = input;
  if (progress != null && !(progress >= 0 && progress <= 1)) {
    throw badInput(`progress: received ${progress}, expected 0 to 1`, 'progress');
  }
  if (progressMessage != null && progressMessage.length > LONGEST_MESSAGE) {
    const limit = LONGEST_MESSAGE.toLocaleString('en');
    throw badInput(
      `progressMessage: at most ${limit} characters, received ${progressMessage.length}`,
      'progressMessage',
    );
  }
  return await inTransaction(context.db, async (connection) => {
    const run = await hearProgram(connection, runId, { progress, progressMessage, attempt });
    if (progress != null || progressMessage != null) await sendNotifications(connection, runNotifications([run]));
    return run;
  });
}

/**
 * Records that a program left a file, whose bytes are in the artifact store already.
 * @param input.keptSinceMs Since when its program has kept it for want of room: the run may have ended meanwhile, and what it
 * was given under that name since then stays.
 */
export async function registerArtifact(
  context: Pick<ServiceContext, 'db'>,
  input: {
    runId: string;
    artifact: Omit<ArtifactReport, 'type'>;
    attempt?: RunAttempt | undefined;
    keptSinceMs?: number | null;
  },
): Promise<ArtifactRecord> {
  const keptSinceMs = input.keptSinceMs ?? null;
  return await inTransaction(context.db, async (connection) => {
    const run =
      keptSinceMs === null
        ? await hearProgram(connection, input.runId, { attempt: input.attempt })
        : (await lockRun(connection, input.runId)).run;
    if (run.deletedAt !== null) throw new WarrenError('CONFLICT', whyRefused(run), { path: 'runId' });
    const newer = keptSinceMs === null ? null : await findArtifact(connection, run.id, input.artifact.name);
    if (newer !== null && Number(newer.createdAt) > Number(keptSinceMs)) return newer;
    await putArtifacts(connection, { runId: run.id, attempt: run.attempt }, [input.artifact]);
    await sendNotifications(connection, runNotifications([run]));
    const artifact = await findArtifact(connection, run.id, input.artifact.name);
    if (artifact === null) throw new Error('internal: the artifact is not there');
    return artifact;
  });
}
