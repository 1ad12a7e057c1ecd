import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

let watchdog: ChildProcess | null = null;

/**
 * A folder of this test file alone, removed after its tests. When the test process dies first, by `kill -9` too, a watchdog
 * removes it and ends every process that has the folder's name in its command line or environment (WARREN_HOME), or works
 * in it. Call it at the top of a file or in a `describe`, before starting what lives in it.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'warren-test-'));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
  watchdog ??= startWatchdog();
  watchdog.stdin?.write(`${folder}\n`);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function startWatchdog(): ChildProcess {
  const script = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  return child;
}
