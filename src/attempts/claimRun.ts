import { arithmeticOf, type RunArithmetic } from '#src/base/contracts/arithmetic.ts';
import type { QueuePayload } from '#src/base/contracts/queuePayload.ts';
import { type ArtifactRecord, findCheckpoint, listInputArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { closeAttempt, insertAttempt, ranOutOfMemory } from '#src/runs/store/attemptRecord.ts';
import { claimQueuedRun } from '#src/attempts/store/claimQueuedRun.ts';
import { type ConfigurationRecord, findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { listFingerprints } from '#src/datasets/store/datasetRecord.ts';
import { endRun } from '#src/runs/store/moveRun.ts';
import { removeLaterPoints } from '#src/metrics/store/removeLaterPoints.ts';
import { mayPrune } from '#src/sweeps/store/sweepRung.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { listRunTexts } from '#src/runs/store/runTexts.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { hashToken } from '#src/people/apiTokens.ts';
import { newRunToken } from './runToken.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface ClaimRunInput {
  payload: QueuePayload;
  workerId: string;
  workerName: string;
  backend: string;
  device: string;
}

/** Everything a worker needs to execute the attempt that it has claimed. */
export interface ClaimedRun {
  run: RunRecord;
  configuration: ConfigurationRecord;
  /** Opens the API's artifact store to this attempt alone, until it ends. */
  token: string;
  /** Where an earlier attempt had got to; null to begin anew. */
  checkpoint: ArtifactRecord | null;
  /** What it was computed with; null without one. */
  checkpointArithmetic: RunArithmetic | null;
  /** By the names that the kind gives them. */
  inputs: { name: string; artifact: ArtifactRecord }[];
  /** Whether its sweep may stop it early. */
  mayBePruned: boolean;
  /** Fingerprints of the configuration's dataset as earlier runs met it, the newest first. */
  earlierFingerprints: string[];
}

/**
 * Takes a queued run for a worker: one atomic update decides between workers. In the same transaction the attempt is
 * written down and what an earlier attempt wrote after the checkpoint is removed.
 * @returns null when the job is stale, somebody else has the run, it is not due yet, or it cannot be executed any more
 *   because an input has gone (it has failed then): the job is done with.
 */
export async function claimRun(context: ServiceContext, input: ClaimRunInput): Promise<ClaimedRun | null> {
  return await inTransaction(context.db, (connection) => takeRun(connection, input));
}

/** `claimRun` within a transaction. */
export async function takeRun(connection: Connection, input: ClaimRunInput): Promise<ClaimedRun | null> {
  const run = await claimQueuedRun(connection, input.payload, input.workerId);
  if (run === null) return null;
  const checkpoint = run.attempt > 1 ? await findCheckpoint(connection, run.id) : null;
  if (run.attempt > 1) await removeLaterPoints(connection, run.id, checkpoint?.step ?? -1);
  const token = newRunToken();
  await insertAttempt(connection, {
    runId: run.id,
    number: run.attempt,
    workerId: input.workerId,
    workerName: input.workerName,
    backend: input.backend,
    device: input.device,
    resumedFromStep: checkpoint?.step ?? null,
    tokenHash: hashToken(token),
  });
  const resumed = checkpoint === null ? '' : `, from the checkpoint at step ${checkpoint.step}`;
  await addRunEvents(connection, [
    {
      runId: run.id,
      type: 'claimed',
      message: `Attempt ${run.attempt} started on ${input.workerName} (${input.backend})${resumed}`,
      data: { attempt: run.attempt, workerId: input.workerId, resumedFromStep: checkpoint?.step ?? null },
    },
  ]);
  await sendNotifications(connection, runNotifications([run]));
  const [configuration] = await findConfigurations(connection, [run.configurationHash]);
  const inputs = await takeInputs(connection, run);
  if (configuration === undefined || inputs === null) return null;
  const { datasetName } = configuration;
  const earlierFingerprints = datasetName === null ? [] : await listFingerprints(connection, datasetName);
  const mayBePruned = run.sweepTrial !== null && (await mayPrune(connection, run.id));
  const checkpointArithmetic = checkpoint === null ? null : await recordedArithmetic(connection, run.id);
  return { run, configuration, token, checkpoint, checkpointArithmetic, inputs, mayBePruned, earlierFingerprints };
}

/** What the run's earlier attempts computed with. */
async function recordedArithmetic(connection: Connection, runId: string): Promise<RunArithmetic> {
  const [texts] = await listRunTexts(connection, [runId]);
  return arithmeticOf(texts?.environment ?? {});
}

/** The input artifacts; null, and the run failed, when one of them has gone. */
async function takeInputs(connection: Connection, run: RunRecord): Promise<ClaimedRun['inputs'] | null> {
  const inputs: ClaimedRun['inputs'] = [];
  for (const { name, sourceNumber, artifactName, artifact } of await listInputArtifacts(connection, run.id)) {
    if (artifact === null) {
      const message = `input "${name}": run ${sourceNumber} has no artifact "${artifactName}" any more`;
      await endRun(connection, run.id, 'FAILED', { code: 'DATA_ERROR', message });
      const end = { state: 'FAILED', errorCode: 'DATA_ERROR', errorMessage: message } as const;
      await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
      await addRunEvents(connection, [{ runId: run.id, type: 'ended', message: `Failed: ${message}` }]);
      return null;
    }
    inputs.push({ name, artifact });
  }
  return inputs;
}

/** Whether an attempt gets its worker for itself: the one before ran out of memory beside other runs. */
export async function runsAlone(context: Pick<ServiceContext, 'db'>, payload: QueuePayload): Promise<boolean> {
  if (payload.attempt === 1) return false;
  return await ranOutOfMemory(context.db, { runId: payload.runId, number: payload.attempt - 1 });
}
