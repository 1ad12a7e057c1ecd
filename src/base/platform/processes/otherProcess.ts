import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './processTree.ts';

/**
 * The command line of a running process that need not be a child of ours; null when there is none, when it has ended but
 * its parent has not noticed, and on Windows, which does not tell.
 */
export function commandOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid) || process.platform === 'win32') return null;
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.trim() === '' ? null : command.trim();
  } catch {
    return null;
  }
}

/** Whether the process ends within `timeoutMs`. */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (commandOf(pid) !== null) {
    if (Date.now() > deadline) return false;
    await delay(50);
  }
  return true;
}

/**
 * What tells a process from a later one with the same id: when it was started. Null when there is none, or when the system
 * does not tell.
 */
export function startTimeOf(pid: number): string | null {
  if (commandOf(pid) === null) return null;
  try {
    if (process.platform === 'linux') {
      // Field 22, counted after the command's name, which may hold blanks (proc(5)): clock ticks since the machine's start.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\)\s/s, '')
        .split(' ');
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return `${boot}/${fields[19]}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
