import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactSource, CommandTask } from '#src/base/contracts/executorMessages.ts';
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

/**
 * The folder of the code in which the program starts.
 * @throws WarrenError DATA_ERROR where there is none of this name.
 */
export async function startFolder(code: string, name: string): Promise<string> {
  const folder = join(code, name);
  const isInside = folder === code || folder.startsWith(code + sep);
  if (isInside && (await stat(folder).catch(() => null))?.isDirectory() === true) return folder;
  throw new WarrenError('DATA_ERROR', `the code has no folder "${name}", in which the program is to start`);
}
