import { badInput } from '#src/contracts/errors.ts';
import type { RunAttempt } from '#src/contracts/runAttempt.ts';
import { isStorableTime } from '#src/contracts/storableTime.ts';
import type { ArtifactReport, LogLevel } from '#src/contracts/reports.ts';
import { type ArtifactRecord, findArtifact, putArtifacts } from '#src/store/artifacts/artifactRecord.ts';
import { inTransaction } from '#src/store/database/connection.ts';
import { insertLogLines } from '#src/store/reports/logLines.ts';
import { type MetricPointInput, recordMetricPoints } from '#src/store/reports/recordMetricPoints.ts';
import type { RunRecord } from '#src/store/runs/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/store/database/sendNotifications.ts';
import { hearExternalRun, hearProgram } from './externalRun.ts';
import { checkedInteger } from '../runs/runFields.ts';
import { judgeReports } from '../sweeps/judgeTrials.ts';
import type { ServiceContext } from '../serviceContext.ts';

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

const MOST_POINTS = 100_000;
const MOST_LINES = 10_000;
const LONGEST_LINE = 100_000;
const LONGEST_MESSAGE = 1_000;

/**
 * Writes points of an external run, or of a command that is executed; a point that is there already stays as it is.
 * @returns how many were new.
 */
export async function logExternalMetrics(
  context: Pick<ServiceContext, 'db' | 'seriesPerRun'>,
  input: { runId: string; series: readonly MetricPointsInput[]; attempt?: RunAttempt | undefined },
): Promise<number> {
  const points = pointsOf(input.series, Date.now());
  const { heard, inserted } = await inTransaction(context.db, async (connection) => {
    const report = { hasMetrics: points.length > 0, attempt: input.attempt };
    const heard = await hearProgram(connection, input.runId, report);
    const { id: runId, metricCursor: cursor } = heard;
    const inserted = await recordMetricPoints(connection, { runId, cursor, mostSeries: context.seriesPerRun }, points);
    if (inserted > 0) await sendNotifications(connection, [{ type: 'metrics', runId, cursor }]);
    return { heard, inserted };
  });
  if (inserted > 0) await judgeReports(context, heard);
  return inserted;
}

function pointsOf(series: readonly MetricPointsInput[], nowMs: number): MetricPointInput[] {
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
  context: Pick<ServiceContext, 'db'>,
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
      throw badInput(`lines[${index}].time: ${timeMs} is no Unix time in milliseconds up to the year 9999`, 'lines');
    }
    return { line: from + index, level, text, timeMs };
  });
  return await inTransaction(context.db, async (connection) => {
    const run = await hearExternalRun(connection, input.runId);
    const inserted = await insertLogLines(connection, { runId: run.id, attempt: run.attempt }, lines);
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

/** Records that a program left a file, whose bytes are in the artifact store already. */
export async function registerArtifact(
  context: Pick<ServiceContext, 'db'>,
  input: { runId: string; artifact: Omit<ArtifactReport, 'type'>; attempt?: RunAttempt | undefined },
): Promise<ArtifactRecord> {
  return await inTransaction(context.db, async (connection) => {
    const run = await hearProgram(connection, input.runId, { attempt: input.attempt });
    await putArtifacts(connection, { runId: run.id, attempt: run.attempt }, [input.artifact]);
    await sendNotifications(connection, runNotifications([run]));
    const artifact = await findArtifact(connection, run.id, input.artifact.name);
    if (artifact === null) throw new Error('internal: the artifact is not there');
    return artifact;
  });
}
