import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArtifactSource, CommandTask } from '#src/contracts/executorMessages.ts';
import { saveArtifact } from '../shared/artifactSource.ts';

export interface FetchOptions {
  signal: AbortSignal;
  /** Told once for each file that cannot be had yet. */
  warn(message: string): void;
}

/** Writes what a command needs to a file, with the token of its run. */
export async function fetchFile(
  task: Pick<CommandTask, 'token'>,
  source: ArtifactSource,
  { file, signal, warn }: FetchOptions & { file: string },
): Promise<void> {
  await saveArtifact(source, file, {
    headers: { authorization: `Bearer ${task.token}` },
    onRetry: (error, failures) => {
      if (failures === 1) warn(`${source.name} cannot be read yet, trying again: ${error.message}`);
    },
    signal,
  });
}

/** Writes what the run takes from others where its program looks for it. */
export async function fetchInputs(
  task: Pick<CommandTask, 'token' | 'inputs'>,
  folder: string,
  options: FetchOptions,
): Promise<void> {
  for (const [path, source] of Object.entries(task.inputs)) {
    const file = join(folder, ...path.split('/'));
    await mkdir(dirname(file), { recursive: true });
    await fetchFile(task, source, { ...options, file });
  }
}
