import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandTask } from '#src/contracts/executorMessages.ts';
import { imageOf } from './containers.ts';
import type { ProgramOptions } from './program.ts';

/** For what a killed program has not sent. */
export const SEND_LEFT_MS = 20_000;

/**
 * The program that sends what Warren's client has noted in the folder of a command and not sent, since it was killed: its last
 * points, which nobody would find there later. Node's client reads the journals of Python's, too. Null where all is sent: clients remove
 * what is. Nor is it sent for a container: what that has left is read by nobody outside of it, since it may be links to files of
 * the worker.
 */
export async function leftJournalProgram(
  task: CommandTask,
  { folder, environment }: Pick<ProgramOptions, 'folder' | 'environment'>,
): Promise<Omit<ProgramOptions, 'onOutput'> | null> {
  if (imageOf(task.environment) !== null) return null;
  const journals = join(folder, 'warren-runs', task.runId);
  if ((await stat(journals).catch(() => null))?.isDirectory() !== true) return null;
  const command = [process.execPath, join(task.clientsFolder, 'warren.mjs'), 'sync', journals];
  return { command, folder, environment };
}
