import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandTask } from '#src/base/contracts/executorMessages.ts';
import { asUser } from './commandUser.ts';
import { imageOf } from './containers.ts';
import type { ProgramExit, ProgramOptions } from './program.ts';

/** For what a killed program has not sent. */
const SEND_LEFT_MS = 20_000;

export interface LeftJournalOptions extends Pick<ProgramOptions, 'folder' | 'environment'> {
  /** Runs a program to its end. */
  execute(options: Omit<ProgramOptions, 'onOutput'>): Promise<ProgramExit>;
  /** Ends it before. */
  stop(): void;
  warn(text: string): void;
}

/**
 * Sends what Warren's client has noted in the folder of a command and not sent, since it was killed: its last points, which
 * nobody would find there later. Clients remove what is sent. Node's client reads the journals of Python's, too. Nothing is sent for
 * a container: what that has left may be links to files of the worker, so that nobody outside of it reads it.
 */
export async function sendLeftJournal(
  task: CommandTask,
  { folder, environment, execute, stop, warn }: LeftJournalOptions,
): Promise<void> {
  if (imageOf(task.environment) !== null) return;
  const journals = join(folder, 'warren-runs', task.runId);
  if ((await stat(journals).catch(() => null))?.isDirectory() !== true) return;
  const command = asUser(task.user, [process.execPath, join(task.clientsFolder, 'warren.mjs'), 'sync', journals]);
  const timer = setTimeout(stop, SEND_LEFT_MS);
  try {
    const { code } = await execute({ command, folder, environment });
    if (code !== 0) warn('points that the program noted before it was killed could not all be sent');
  } finally {
    clearTimeout(timer);
  }
}
