import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exitOf } from '#src/base/platform/processes/processTree.ts';
import { endLeftPrograms, noteProgram } from '#workers/runtime/commands/leftPrograms.ts';

const scratch = mkdtempSync(join(tmpdir(), 'warren-left-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32')('a program that outlived its worker is ended, and no other', async () => {
  const [left, other] = [1, 2].map(() => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }));
  mkdirSync(join(scratch, 'run-1'));
  noteProgram(join(scratch, 'run-1'), left!.pid!);
  await endLeftPrograms(scratch);
  expect(await exitOf(left!)).toEqual({ code: null, signal: 'SIGKILL' });
  expect(other!.exitCode).toBeNull();
  other!.kill();
});
