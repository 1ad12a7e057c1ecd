import { join } from 'node:path';
import type { Arithmetic } from '#src/base/contracts/arithmetic.ts';
import type { ArtifactSource, ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type { ClaimedRun } from '#src/attempts/claimRun.ts';
import type { ArtifactRecord } from '#src/artifacts/store/artifactRecord.ts';

export interface TaskSettings {
  /** Address of the API, without a slash at its end. */
  apiUrl: string;
  threads: number;
  dataFolders: string[];
  offline: boolean;
  cacheFolder: string;
  /** Holds the scratch folders of attempts. */
  scratchFolder: string;
  backend: string | null;
  arithmetic: Arithmetic;
}

/** Address of an artifact in the API's store. */
export function artifactUrl(apiUrl: string, runId: string, name: string): string {
  return `${apiUrl}/artifacts/${runId}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/** Where an artifact can be read. */
export function sourceOf(artifact: ArtifactRecord, apiUrl: string): ArtifactSource {
  const { name, sha256, sizeBytes, step } = artifact;
  const url = `${artifactUrl(apiUrl, artifact.runId, name)}?sha256=${sha256}`;
  return { name, sha256, sizeBytes, url, ...(step === null ? {} : { step }) };
}

/** What the executor of a claimed run needs to know. */
export function executorTaskOf(claimed: ClaimedRun, settings: TaskSettings): ExecutorTask {
  const { run, configuration, token, checkpoint, checkpointArithmetic, inputs } = claimed;
  const { apiUrl, threads, dataFolders, offline, cacheFolder, scratchFolder, backend, arithmetic } = settings;
  return {
    runId: run.id,
    attempt: run.attempt,
    kind: configuration.kind,
    kindVersion: configuration.kindVersion,
    parameters: configuration.parameters,
    dataset: configuration.dataset,
    seed: run.seed,
    startedAtMs: run.startedAt?.getTime() ?? Date.now(),
    threads,
    dataFolders,
    offline,
    cacheFolder,
    earlierFingerprints: claimed.earlierFingerprints,
    workFolder: join(scratchFolder, `${run.id}-${run.attempt}`),
    inputs: Object.fromEntries(inputs.map(({ name, artifact }) => [name, sourceOf(artifact, apiUrl)])),
    checkpoint: checkpoint === null ? null : sourceOf(checkpoint, apiUrl),
    artifactSink: {
      baseUrl: `${apiUrl}/artifacts/${run.id}`,
      headers: { authorization: `Bearer ${token}` },
    },
    backend,
    arithmetic,
    ...(checkpointArithmetic === null ? {} : { checkpointArithmetic }),
    mayBePruned: claimed.mayBePruned,
    mayStay: true,
  };
}
