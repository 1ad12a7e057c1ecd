import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitOf } from '#src/base/platform/processes/processTree.ts';
import { leaseNote, watchLease } from '#workers/runtime/commands/leaseWatch.ts';
import { LeaseHold } from '#workers/runtime/worker/leaseHold.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

it.skipIf(process.platform !== 'linux')(
  'a program ends when its lease has not been renewed for too long, with all of its group, though nobody else looks',
  async () => {
    const [held, left] = [1, 2].map((number) => {
      const folder = join(temporaryFolder(), `run-${number}`);
      const program = spawn('sh', ['-c', 'sleep 60 & wait'], { detached: true, stdio: 'ignore' });
      const note = leaseNote(folder, { ofUser: false });
      note(performance.now() + 60_000);
      watchLease(folder, program.pid!);
      return { program, note };
    });
    left!.note(performance.now());
    expect(await exitOf(left!.program)).toEqual({ code: null, signal: 'SIGKILL' });
    expect(held!.program.exitCode ?? held!.program.signalCode).toBeNull();
    process.kill(-held!.program.pid!, 'SIGKILL');
  },
);

it('a worker that cannot renew a lease lets go in time, counted from when it asked last', async () => {
  const events: string[] = [];
  const hold = new LeaseHold({ ms: 60, note: () => undefined, onEnd: () => events.push('let go') });
  await delay(40);
  hold.renewed(performance.now());
  await delay(40);
  expect(events).toEqual([]);
  hold.renewed(performance.now() - 1_000); // an answer that took long
  await delay(5);
  expect(events).toEqual(['let go']);
});
