import { badInput } from '#src/base/contracts/errors.ts';
import { listFiles } from '#src/mlflow/runFiles.ts';
import { requireTrackedRun } from '#src/mlflow/trackedRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { RunFileEntry } from '#src/mlflow/store/runFiles.ts';
import { artifactUri } from './answers.ts';
import type { MlflowCall } from './calls.ts';
import { readRequest } from './request.ts';

/** Files and folders in MLflow's form. @param folder Before their names; empty for none. */
export function filesAnswer(entries: readonly RunFileEntry[], folder: string): Record<string, unknown>[] {
  return entries.map(({ name, isFolder, sizeBytes }) => ({
    path: folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`,
    is_dir: isFolder,
    ...(isFolder || sizeBytes === null ? {} : { file_size: sizeBytes }),
  }));
}

async function list(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const { run_id: runId, path = '' } = readRequest(
    body.run_id === undefined && body.run_uuid !== undefined ? { ...body, run_id: body.run_uuid } : body,
    { run_id: 'string!', path: 'string', page_token: 'string' },
  );
  const run = await requireTrackedRun(services, runId);
  const root = artifactUri(run);
  if (!root.startsWith('mlflow-artifacts:')) {
    throw badInput(`the files of this run are at ${root}, which only its client can list: Warren keeps none of them`);
  }
  const files = filesAnswer(await listFiles(services, run.id, path), path);
  return { root_uri: root, ...(files.length === 0 ? {} : { files }) };
}

/** Calls about files, by their place below `/artifacts/`. */
export const artifactCalls: Readonly<Record<string, MlflowCall>> = { list: { needs: 'READ', answer: list } };
