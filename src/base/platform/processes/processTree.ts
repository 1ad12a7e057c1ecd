import type { ChildProcess } from 'node:child_process';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StopOptions {
  /** Between asking and killing, in milliseconds. */
  graceMs: number;
  /** What asks: default SIGTERM. */
  signal?: NodeJS.Signals;
  /** Whether the child was spawned `detached` and its whole process group is meant: its own children too. */
  group?: boolean;
}

/** How a child ended; at once when it has ended already. */
export function exitOf(child: ChildProcess): Promise<ProcessExit> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  }
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

/** Asks a child to end, kills it when the grace is over, and waits until it has ended. */
export async function stopProcess(child: ChildProcess, options: StopOptions): Promise<ProcessExit> {
  const ended = exitOf(child);
  const group = options.group ?? false;
  signalChild(child, options.signal ?? 'SIGTERM', group);
  const timer = setTimeout(() => signalChild(child, 'SIGKILL', group), options.graceMs);
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
    if (group) signalChild(child, 'SIGKILL', true); // what the child left behind in its group
  }
}

/** Whether a process of this id runs, be it ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

function signalChild(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  if (child.pid === undefined) return;
  if (!group || process.platform === 'win32') {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (thrown) {
    // ESRCH: the group has ended.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH')) throw thrown;
  }
}
