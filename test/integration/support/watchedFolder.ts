import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

let watchdog: ChildProcess | null = null;

/**
 * A new folder. When this process dies before it has removed it, by `kill -9` too, a watchdog does, and ends every process
 * that has the folder's name in its command line or environment (WARREN_HOME), or works in it.
 */
export function watchedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'warren-test-'));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
  watchdog ??= startWatchdog();
  watchdog.stdin?.write(`${folder}\n`);
  return folder;
}

function startWatchdog(): ChildProcess {
  const script = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  return child;
}
