import { WarrenError } from '#src/base/contracts/errors.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { reopenAttempt } from '#src/runs/store/attemptRecord.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { type ExternalReport, noteReport, renewExternalLease } from '#src/runs/store/externalLease.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { lockRuns, type RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { resolveRuns, whyNoRun } from './findRun.ts';

/** Who looks at a run is told that something was heard of it this often at most. */
const NOTIFY_MS = 5_000;

/**
 * Locks a run that a program of the user's own executes.
 * @throws WarrenError NOT_FOUND, BAD_INPUT when a worker executes the run.
 */
export async function lockExternalRun(connection: Connection, reference: string): Promise<RunRecord> {
  const { run, kind } = await lockRun(connection, reference);
  if (kind === 'external') return run;
  const why =
    kind === 'command'
      ? 'a command: its worker records what it prints, and how it ends'
      : "executed by Warren's workers: they alone write to it";
  throw new WarrenError('BAD_INPUT', `run ${run.number} is ${why}`, { path: 'runId' });
}

/** Locks a run; its kind is that of its configuration. @throws WarrenError NOT_FOUND. */
export async function lockRun(
  connection: Connection,
  reference: string,
): Promise<{ run: RunRecord; kind: string | null }> {
  const [found = null] = await resolveRuns(connection, [reference]);
  const [run] = found === null ? [] : await lockRuns(connection, [found.id]);
  if (run === undefined) throw new WarrenError('NOT_FOUND', whyNoRun(reference), { path: 'runId' });
  const [configuration] = await findConfigurations(connection, [run.configurationHash]);
  return { run, kind: configuration?.kind ?? null };
}

/**
 * `hearExternalRun`, or else the program of a command, which reports while a worker executes it: the worker renews the lease.
 * @param attempt Of the program's token, where it has one.
 * @throws WarrenError like `hearExternalRun`, and CONFLICT when the command is not executed, or as another attempt.
 */
export async function hearProgram(
  connection: Connection,
  reference: string,
  { attempt, ...report }: Omit<ExternalReport, 'newAttempt'> & { attempt?: RunAttempt | undefined } = {},
): Promise<RunRecord> {
  const { run, kind } = await lockRun(connection, reference);
  if (kind !== 'command') return await hearExternalRun(connection, run.id, report);
  const heard = run.state === 'RUNNING' && (attempt === undefined || attempt.number === run.attempt);
  if (!heard) throw new WarrenError('CONFLICT', whyRefused(run), { path: 'runId' });
  return await noteReport(connection, run.id, report);
}

/**
 * Locks an external run that its program reports to, and renews its lease. One that had crashed goes on as the same
 * attempt: its program was only asleep, or cut off. One without a lease, imported or an MLflow client's, takes reports
 * whatever its state.
 * @throws WarrenError NOT_FOUND, BAD_INPUT when a worker executes the run, CONFLICT when it has ended or is in the trash.
 */
export async function hearExternalRun(
  connection: Connection,
  reference: string,
  report: Omit<ExternalReport, 'newAttempt'> = {},
): Promise<RunRecord> {
  const before = await lockExternalRun(connection, reference);
  if (before.leaseSeconds === null && before.deletedAt === null) {
    return await noteReport(connection, before.id, report);
  }
  const run = await renewExternalLease(connection, before.id, report);
  if (run === null) throw new WarrenError('CONFLICT', whyRefused(before), { path: 'runId' });
  const revived = before.state === 'CRASHED';
  if (revived) {
    await reopenAttempt(connection, { runId: run.id, number: run.attempt });
    const message = 'Its program was heard of again: the run goes on';
    await addRunEvents(connection, [{ runId: run.id, type: 'resumed', message }]);
  }
  const silentMs = Number(run.lastHeardAt) - Number(before.lastHeardAt);
  if (revived || silentMs >= NOTIFY_MS) await sendNotifications(connection, runNotifications([run]));
  return run;
}

/** Why a report to an external run is not taken. */
export function whyRefused(run: RunRecord): string {
  if (run.deletedAt !== null) return `run ${run.number} is in the trash: restore it first`;
  return `run ${run.number} has ended (${run.state}): nothing can be added`;
}
