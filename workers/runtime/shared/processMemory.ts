import { readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';

const MEGABYTE = 2 ** 20;

function kilobytes(text: string, field: string): number | null {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text);
  return match === null ? null : Number(match[1]) * 1024;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Resident bytes of process `pid`, or null when it is gone or the system does not tell. */
export function residentBytes(pid: number): number | null {
  const status = readText(`/proc/${pid}/status`);
  return status === null ? null : kilobytes(status, 'VmRSS');
}

/** Threads of this process; 0 where the system does not tell. */
export function threadCount(): number {
  return Number(/^Threads:\s+(\d+)/m.exec(readText('/proc/self/status') ?? '')?.[1] ?? 0);
}

/**
 * Most memory that this process has held, in MB of 2²⁰ bytes. Linux's own count of this address space is preferred:
 * `getrusage` of a forked process begins at its parent's size.
 */
export function peakRssMb(): number {
  const status = readText('/proc/self/status');
  const bytes = status === null ? null : kilobytes(status, 'VmHWM');
  const peak = bytes ?? process.resourceUsage().maxRSS * 1024;
  return Math.round((peak / MEGABYTE) * 10) / 10;
}

/** Lets `peakRssMb` begin anew. Returns false where the system cannot do that. */
export function resetPeakRss(): boolean {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    return false;
  }
}

/** Bytes of memory that processes here may use: the machine's, or the control group's limit where that is less. */
export function memoryLimitBytes(): number {
  const limits = [totalmem()];
  for (const path of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    const limit = Number(readText(path)?.trim() ?? Number.NaN);
    if (Number.isFinite(limit) && limit > 0) limits.push(limit);
  }
  return Math.min(...limits);
}

/** How many processes the system has killed for want of memory, in our control group or anywhere; null if unknown. */
export function memoryKills(): number | null {
  const counts = ['/sys/fs/cgroup/memory.events', '/proc/vmstat']
    .map((path) => /^oom_kill (\d+)$/m.exec(readText(path) ?? ''))
    .filter((match) => match !== null)
    .map((match) => Number(match[1]));
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

/** Asks Linux to end this process before others when memory runs out: rather a run than a database. */
export function raiseKillPreference(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // another system
  }
}
