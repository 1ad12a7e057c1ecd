import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 20;
/** One that hangs in the system, where no signal reaches it, is not waited for any longer. */
const PATIENCE_MS = 5_000;

export interface AttemptMark {
  runId: string;
  attempt: number;
}

/** The variables by which the processes of an attempt are known, whatever group they are in. */
export function markOf({ runId, attempt }: AttemptMark): { WARREN_RUN_ID: string; WARREN_ATTEMPT: string } {
  return { WARREN_RUN_ID: runId, WARREN_ATTEMPT: String(attempt) };
}

/** What watches over a container, and writes down that it has ended: killed, it would leave one that nobody can remove. */
const OF_ENGINES = ['conmon', 'podman', 'docker'];
/** Where podman looks for its conmon beside the folders of programs. */
const CONMON_FOLDERS = ['/usr/libexec/podman', '/usr/local/libexec/podman', '/usr/lib/podman', '/usr/local/lib/podman'];

/** Whether a process is an engine of this machine, and not a program that has taken its name. */
async function isOfEngine(pid: string): Promise<boolean> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => null);
  if (program === null) return false;
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...CONMON_FOLDERS].filter((folder) => folder !== '');
  const places = folders.flatMap((folder) => OF_ENGINES.map((name) => join(folder, name)));
  const engines = await Promise.all(places.map((place) => realpath(place).catch(() => null)));
  // an update may have replaced it while it ran
  return engines.includes(program.replace(/ \(deleted\)$/, ''));
}

/** The processes of this machine, as far as they can be seen, that bear the mark of an attempt; none without /proc. */
export async function processesOf(mark: AttemptMark): Promise<number[]> {
  const words = Object.entries(markOf(mark)).map(([name, value]) => Buffer.from(`\0${name}=${value}\0`));
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
      const content = await readFile(`/proc/${name}/environ`).catch(() => null);
      if (content === null) return [];
      const framed = Buffer.concat([Buffer.of(0), content, Buffer.of(0)]);
      if (!words.every((word) => framed.includes(word))) return [];
      return (await isOfEngine(name)) ? [] : [Number(name)];
    }),
  );
  return found.flat();
}

/**
 * Ends what is left of an attempt: programs that outlived whoever watched over them, or have left their group. A process
 * can bring this only on itself. @returns whether nothing of it runs any more.
 */
export async function endProcessesOf(mark: AttemptMark): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const pids = await processesOf(mark);
    if (pids.length === 0) return true;
    if (performance.now() > deadline) return false;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it has just ended
      }
    }
    await delay(LOOK_MS);
  }
}
