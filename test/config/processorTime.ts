import { readdirSync, readFileSync } from 'node:fs';

/** Of `/proc/PID/stat`, which counts in hundredths of a second on Linux. */
const TICK_MS = 10;

interface ProcessTimes {
  pid: number;
  parent: number;
  own: number;
  /** Of children that have ended, with theirs. */
  ended: number;
}

function timesOf(pid: number): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // after the name, which may hold blanks: state, parent, …, utime (14th), stime, cutime, cstime
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { pid, parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
  } catch {
    return null;
  }
}

/** Milliseconds of processor time that programs and what they have started have used, ended ones too; NaN where not on Linux. */
export function processorMs(pids: readonly number[]): number {
  try {
    const names = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    const processes = names.flatMap((name) => timesOf(Number(name)) ?? []);
    const found = new Set(processes.filter(({ pid }) => pids.includes(pid)));
    // what is added to the set on the way is visited as well
    for (const { pid } of found) for (const child of processes) if (child.parent === pid) found.add(child);
    let ticks = 0;
    for (const { own, ended } of found) ticks += own + ended;
    return ticks * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** Milliseconds of processor time of children of this program that have ended, with theirs; NaN where not on Linux. */
export function endedChildrenMs(): number {
  return (timesOf(process.pid)?.ended ?? Number.NaN) * TICK_MS;
}

let counted = 0;

/** What this program and all that it started have used since the last call, or since its start. */
export function processorMsSinceLast(): number {
  const now = processorMs([process.pid]);
  const since = now - counted;
  counted = now;
  return since;
}
