import { cpus, hostname } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { CommandTask } from '#src/base/contracts/executorMessages.ts';
import { maskedArguments } from '#src/base/lib/maskedArguments.ts';
import { imageOf } from './containers.ts';
import { markOf } from './strayProcesses.ts';

/** Characters of a variable: with more, Linux starts no program. */
const LONGEST_PARAMETERS = 30_000;

export interface ProgramFolders {
  /** Where it starts. */
  start: string;
  checkpoint: string;
  /** With what the run takes from others. */
  inputs: string;
  /** Of the packages that were installed for it; null where none were. */
  packages: string | null;
  /** The variables that it starts from. */
  surroundings: NodeJS.ProcessEnv;
}

/** The environment of a user's program: what any program needs, what it may know of its run, and nothing of the worker's. */
export function environmentOf(
  task: CommandTask,
  { start, checkpoint, inputs, packages, surroundings }: ProgramFolders,
): NodeJS.ProcessEnv {
  const path = surroundings.PATH ?? '';
  const parameters = JSON.stringify(task.parameters);
  return {
    ...surroundings,
    ...(packages === null ? {} : { VIRTUAL_ENV: packages, PATH: `${join(packages, 'bin')}${delimiter}${path}` }),
    PYTHONPATH: task.clientsFolder,
    PYTHONUNBUFFERED: '1',
    // a repository around the scratch folder is not the program's
    GIT_CEILING_DIRECTORIES: dirname(task.workFolder),
    CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
    CUDA_VISIBLE_DEVICES: task.gpus.join(','),
    ...markOf(task),
    WARREN_API_URL: task.apiUrl,
    WARREN_TOKEN: task.token,
    WARREN_PROJECT: task.project,
    WARREN_SEED: String(task.seed),
    ...(parameters.length > LONGEST_PARAMETERS ? {} : { WARREN_PARAMETERS: parameters }),
    // the clients' journal is found there, wherever the program goes
    WARREN_DIR: start,
    WARREN_CHECKPOINT_DIR: checkpoint,
    WARREN_INPUT_DIR: inputs,
  };
}

/** What a run records of where and as what its program ran. */
export function factsOf(task: CommandTask): Record<string, unknown> {
  return {
    seed: task.seed,
    host: hostname(),
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? process.arch,
    gpuNumbers: task.gpus,
    arguments: maskedArguments(task.command),
    ...(task.user === null ? {} : { user: task.user.name }),
    ...(imageOf(task.environment) === null ? {} : { container: imageOf(task.environment) }),
  };
}
