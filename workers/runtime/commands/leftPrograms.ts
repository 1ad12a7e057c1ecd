import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ContainerEngine } from '#src/base/contracts/executorMessages.ts';
import { startTimeOf } from '#src/base/platform/processes/otherProcess.ts';
import { removeContainer } from './containers.ts';
import { endProcessesOf } from './strayProcesses.ts';

/** Which program an attempt executes, in its scratch folder. */
const NOTE = 'program.json';

const noteSchema = z.object({ pid: z.number().int().positive(), startTime: z.string() });

/** Notes the program of an attempt, so that it is found again when worker and watching process were both killed. */
export function noteProgram(workFolder: string, pid: number): void {
  const startTime = startTimeOf(pid);
  if (startTime === null) return;
  try {
    writeFileSync(join(workFolder, NOTE), JSON.stringify({ pid, startTime }));
  } catch {
    // a full disk: the program runs all the same
  }
}

/**
 * Ends the programs that a dead worker has left running: those that bear the mark of an attempt, and those that were noted.
 * @param engine Runs containers on this machine; those of attempts are removed.
 */
export async function endLeftPrograms(scratchFolder: string, engine: ContainerEngine | null = null): Promise<void> {
  for (const attempt of readdirSync(scratchFolder)) {
    const [, runId, number] = /^(.+)-(\d+)$/.exec(attempt) ?? [];
    const note = join(scratchFolder, attempt, NOTE);
    if (runId !== undefined) {
      const mark = { runId, attempt: Number(number) };
      if (engine !== null && existsSync(note)) await removeContainer(engine, mark);
      await endProcessesOf(mark);
    }
    try {
      const { pid, startTime } = noteSchema.parse(JSON.parse(readFileSync(note, 'utf8')));
      if (startTimeOf(pid) === startTime) process.kill(-pid, 'SIGKILL');
    } catch {
      // none is noted, or it has just ended
    }
  }
}
