import { delimiter, dirname, join } from 'node:path';
import type { CommandTask } from '#src/contracts/executorMessages.ts';
import { builtFile } from '#src/lib/projectRoot.ts';
import { programOfUserEnvironment } from '#src/platform/processes/childEnvironment.ts';

export interface ProgramFolders {
  checkpoint: string;
  /** Of the packages that were installed for it; null where none were. */
  packages: string | null;
}

/** The environment of a user's program: what any program needs, what it may know of its run, and nothing of the worker's. */
export function environmentOf(task: CommandTask, { checkpoint, packages }: ProgramFolders): NodeJS.ProcessEnv {
  const inherited = programOfUserEnvironment();
  const path = inherited.PATH ?? '';
  return {
    ...inherited,
    ...(packages === null ? {} : { VIRTUAL_ENV: packages, PATH: `${join(packages, 'bin')}${delimiter}${path}` }),
    PYTHONPATH: builtFile('clients'),
    PYTHONUNBUFFERED: '1',
    // a repository around the scratch folder is not the program's
    GIT_CEILING_DIRECTORIES: dirname(task.workFolder),
    CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
    CUDA_VISIBLE_DEVICES: task.gpus.join(','),
    WARREN_RUN_ID: task.runId,
    WARREN_ATTEMPT: String(task.attempt),
    WARREN_API_URL: task.apiUrl,
    WARREN_TOKEN: task.token,
    WARREN_SEED: String(task.seed),
    WARREN_CHECKPOINT_DIR: checkpoint,
  };
}
