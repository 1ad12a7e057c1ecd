import { readdirSync, readFileSync } from 'node:fs';

/** Of `/proc/PID/stat`, which counts in hundredths of a second on Linux. */
const TICK_MS = 10;

interface ProcessTimes {
  parent: number;
  own: number;
  /** Of children that have ended. */
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
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
  } catch {
    return null;
  }
}

/** Milliseconds of processor time that programs and their direct children have used, ended ones too; NaN where not on Linux. */
export function processorMs(pids: readonly number[]): number {
  try {
    let ticks = 0;
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      const times = timesOf(Number(name));
      if (times === null) continue;
      if (pids.includes(Number(name))) ticks += times.own + times.ended;
      else if (pids.includes(times.parent)) ticks += times.own;
    }
    return ticks * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** Milliseconds of processor time of children of this program that have ended, with theirs; NaN where not on Linux. */
export function endedChildrenMs(): number {
  return (timesOf(process.pid)?.ended ?? Number.NaN) * TICK_MS;
}
