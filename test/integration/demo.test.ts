import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processesOf } from './support/processesOf.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren, startWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

const home = join(temporaryFolder(), 'home');
const SMALL = ['--dataset', 'generated/markov-small'];
// with the real clock, as whoever tries Warren has it
const environment = { WARREN_HOME: home, WARREN_PORT: '0', WARREN_TIMING: '1' };

it('runs real experiments on generated data where there is no other, compares them, and leaves nothing behind', async () => {
  const { code, stdout, stderr } = await runWarren(['demo', '--exit'], environment);
  expect(stderr).toContain('amazon-beauty was not found');
  expect(stdout).toContain('8 runs are queued');
  const [, table = ''] = stdout.split('Compared on generated/markov-medium');
  for (const name of ['OverRec, RNTK', 'OverRec, NNGP', 'Popularity', 'Item kNN', 'Markov chain']) {
    expect(table).toMatch(new RegExp(`#\\d ${name} +0\\.\\d{4}`));
  }
  expect(table).toMatch(/#6-8 MF-BPR +0\.\d{4} ± 0\.\d{4} \(3\)/);
  expect(code).toBe(0);
  expect(processesOf(home)).toEqual([]);
});

it('queues new runs at a second start, within seconds, keeps serving, and stops on Ctrl-C', async () => {
  const demo = startWarren(['demo', ...SMALL], environment);
  // Two seconds on an idle machine; many other tests may run beside this one.
  const isQueued = () => demo.stdout().includes('#9 OverRec, RNTK · seed 1  queued');
  await waitUntil('the first run', isQueued, 60_000);
  const url = await waitUntil('the end of the runs', () => /Dashboard: (\S+)/.exec(demo.stdout())?.[1], 120_000);
  expect((await fetch(url)).headers.get('content-type')).toContain('text/html');
  // A third one finds the second, and runs there.
  const third = startWarren(['demo', '--exit', ...SMALL], environment);
  await waitUntil(
    'it queues its runs there',
    () => third.stdout().includes('#17 OverRec, RNTK · seed 1  queued'),
    60_000,
  );
  expect(third.stderr()).toContain(`Warren runs already at ${url}`);
  process.kill(-third.child.pid!, 'SIGINT');
  await third.ended;
  process.kill(-demo.child.pid!, 'SIGINT');
  expect((await demo.ended).code).toBe(0);
  expect(processesOf(home)).toEqual([]);
});
