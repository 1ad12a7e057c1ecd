import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';

/**
 * Gives all tests a temporary folder of their own, which is removed when vitest ends. What a test or Warren has left there
 * is named then, and fails the run: it would stay for ever in the temporary folder of the machine.
 */
export function findLeftFolders(): Reporter {
  return {
    onInit() {
      const folder = mkdtempSync(join(tmpdir(), 'warren-'));
      chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
      process.env.TMPDIR = folder;
      process.on('exit', () => {
        const left = readdirSync(folder).filter((name) => name.startsWith('warren-'));
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
        if (left.length === 0) return;
        process.stderr.write(`\n  Left in the temporary folder, by tests or by Warren: ${left.sort().join(', ')}\n\n`);
        process.exitCode = 1;
      });
    },
  };
}
