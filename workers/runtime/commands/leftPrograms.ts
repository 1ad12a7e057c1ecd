import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { startTimeOf } from '#src/platform/processes/otherProcess.ts';

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

/** Ends the programs, with all of their groups, that are noted in the scratch folder of a dead worker and still run. */
export function endLeftPrograms(scratchFolder: string): void {
  for (const attempt of readdirSync(scratchFolder)) {
    try {
      const { pid, startTime } = noteSchema.parse(JSON.parse(readFileSync(join(scratchFolder, attempt, NOTE), 'utf8')));
      if (startTimeOf(pid) === startTime) process.kill(-pid, 'SIGKILL');
    } catch {
      // none is noted, or it has just ended
    }
  }
}
