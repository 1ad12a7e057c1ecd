import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TIMING } from '#src/base/platform/timing.ts';

/** Until when the program of an attempt may run, in its scratch folder. */
const LEASE = 'lease';
/** Hundredths of a second since the machine was started, its sleep included. */
const UPTIME = '/proc/uptime';
const LOOKS_IN_MARGIN = 5;

/** What notes in the folder of an attempt until when its program may run. */
export function leaseNote(workFolder: string, { ofUser }: { ofUser: boolean }): (untilMs: number) => void {
  const file = join(workFolder, LEASE);
  // later it may have been removed, and stays so
  let isThere = false;
  return (untilMs) => {
    try {
      const uptime = Number.parseFloat(readFileSync(UPTIME, 'utf8'));
      const until = Math.floor(100 * uptime + (untilMs - performance.now()) / 10);
      if (!isThere) mkdirSync(workFolder, { recursive: true, mode: ofUser ? 0o711 : 0o700 });
      isThere = true;
      writeFileSync(`${file}.new`, `${until}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch {
      // a full disk, or a system without /proc: the worker's own clock ends the program all the same
    }
  };
}

const WATCH = `
while kill -s 0 -- "-$1"; do
  if read -r until < "$2" && read -r now rest < ${UPTIME}; then
    now=\${now%.*}\${now#*.}
    [ "$now" -lt "$until" ] || kill -s KILL -- "-$1"
  fi
  sleep "$3"
done`;

/**
 * Has a process of its own end a program's group once its lease has not been renewed for too long: also where the worker and the process
 * that watches over the program are stopped. It ends with the group.
 */
export function watchLease(workFolder: string, group: number): void {
  if (process.platform !== 'linux') return;
  const everySeconds = TIMING.releaseMarginMs / LOOKS_IN_MARGIN / 1000;
  const parameters = [String(group), join(workFolder, LEASE), String(everySeconds)];
  // of its own: without the mark by which the attempt's processes are ended
  const env = { PATH: process.env.PATH ?? '' };
  const watch = spawn('sh', ['-c', WATCH, 'warren-lease', ...parameters], { detached: true, stdio: 'ignore', env });
  watch.on('error', () => {}); // without a shell the worker's own clock is left
  watch.unref();
}
