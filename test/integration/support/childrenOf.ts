import { execFileSync } from 'node:child_process';

/** Processes that `pid` has started and that still run. */
export function childrenOf(pid: number): number[] {
  try {
    const text = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return text.trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}
