import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/**
 * Says in the file `.lock` which process sends a journal, so that two do not do the work twice; where they do, the server
 * still keeps everything once. Answers whether the journal is this process's now.
 */
export function lockJournal(path: string): boolean {
  const file = `${path}.lock`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const descriptor = openSync(file, 'wx', 0o600);
      writeSync(descriptor, `${process.pid} ${startOf(process.pid)}`);
      closeSync(descriptor);
      return true;
    } catch {
      if (isHeld(file)) return false;
      releaseLock(path);
    }
  }
  // a file system that takes no file: all may send
  return true;
}

/** Lets others send a journal. */
export function releaseLock(path: string): void {
  try {
    rmSync(`${path}.lock`, { force: true });
  } catch {
    // the file system takes no changes
  }
}

/** Whether a living process sends a journal. */
export function isLocked(path: string): boolean {
  return isHeld(`${path}.lock`);
}

/** Whether the process that holds a lock is there: a number alone may be another's by now. */
function isHeld(file: string): boolean {
  try {
    const [pid = '', start = ''] = readFileSync(file, 'utf8').split(' ');
    if (!/^\d+$/.test(pid)) return false;
    process.kill(Number(pid), 0);
    return startOf(Number(pid)) === start;
  } catch {
    return false;
  }
}

/** When a process began, in the kernel's ticks; empty where there is no `/proc`. */
function startOf(pid: number): string {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? ''
    );
  } catch {
    return '';
  }
}
