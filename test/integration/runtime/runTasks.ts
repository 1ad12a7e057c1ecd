import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ExecutorTask, FromExecutor } from '#src/base/contracts/executorMessages.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { ExecutorHandle } from '#workers/runtime/worker/executorHandle.ts';

export type TaskChoice = Pick<ExecutorTask, 'kind'> & Partial<ExecutorTask>;

export interface DoneTask {
  reports: Report[];
  end: FromExecutor | null;
  /** Whether the executor waits for another. */
  isFree: boolean;
}

/** An executor as a worker has it, and what executes one task in it after another, each in a folder of its own in `scratch`. */
export function openExecutor(
  file: string,
  scratch: string,
): {
  executor: ExecutorHandle;
  run(choice: TaskChoice): Promise<DoneTask>;
} {
  const executor = new ExecutorHandle({ file, niceness: 0 });
  const run = async (choice: TaskChoice): Promise<DoneTask> => {
    const done: DoneTask = { reports: [], end: null, isFree: false };
    const given = executor.start(taskOf(choice, join(scratch, randomUUID())), (message) => {
      if (message.type === 'reports') {
        done.reports.push(...message.reports);
        given.acknowledge(message.sequence);
      } else if (message.type !== 'ready') done.end = message;
    });
    done.isFree = (await given.done) === null;
    given.cancel(); // comes too late to concern anybody
    return done;
  };
  return { executor, run };
}

function taskOf(choice: TaskChoice, folder: string): ExecutorTask {
  return {
    runId: '00000000-0000-4000-8000-000000000000',
    attempt: 1,
    parameters: {},
    dataset: null,
    seed: 7,
    startedAtMs: Date.now(),
    threads: 1,
    dataFolders: [],
    offline: true,
    cacheFolder: join(folder, 'cache'),
    earlierFingerprints: [],
    workFolder: join(folder, 'work'),
    inputs: {},
    checkpoint: null,
    artifactSink: { folder: join(folder, 'artifacts') },
    backend: null,
    arithmetic: 'plain',
    mayStay: true,
    ...choice,
  };
}
