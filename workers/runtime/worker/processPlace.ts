import { readFileSync, readlinkSync } from 'node:fs';
import { startTimeOf } from '#src/base/platform/processes/otherProcess.ts';
import { isAlive } from '#src/base/platform/processes/processTree.ts';

/** Where a process id means something, and what tells this process from a later one with the same id. */
export interface ProcessPlace {
  /** The same for processes that see each other: one start of one machine, one container. */
  place: string;
  pid: number;
  startTime: string;
}

/** This process; null on systems that do not tell. */
export function ownPlace(): ProcessPlace | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const startTime = startTimeOf(process.pid);
    if (startTime === null) return null;
    return { place: `${boot}/${readlinkSync('/proc/self/ns/pid')}`, pid: process.pid, startTime };
  } catch {
    return null;
  }
}

/** True when the other process must be visible from here and is not there any more; false when that is not certain. */
export function hasCertainlyEnded(other: ProcessPlace, own: ProcessPlace): boolean {
  if (other.place !== own.place) return false;
  return !isAlive(other.pid) || startTimeOf(other.pid) !== other.startTime;
}
