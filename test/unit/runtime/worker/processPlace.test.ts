import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { startTimeOf } from '#src/base/platform/processes/otherProcess.ts';
import { hasCertainlyEnded, ownPlace } from '#workers/runtime/worker/processPlace.ts';

describe.runIf(process.platform === 'linux')('whether another process has certainly ended', () => {
  const own = ownPlace()!;

  test('not while it runs', () => {
    expect(hasCertainlyEnded(own, own)).toBe(false);
  });

  test('once it has ended, even while its parent has not noticed', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
    await once(child, 'spawn');
    const other = { ...own, pid: child.pid!, startTime: startTimeOf(child.pid!)! };
    expect(hasCertainlyEnded(other, own)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(hasCertainlyEnded(other, own)).toBe(true);
  });

  test('when another process has got its id', () => {
    expect(hasCertainlyEnded({ ...own, startTime: 'earlier' }, own)).toBe(true);
  });

  test('never for a process elsewhere', () => {
    expect(hasCertainlyEnded({ ...own, place: 'another machine', pid: 2 ** 22 + 1 }, own)).toBe(false);
  });
});
