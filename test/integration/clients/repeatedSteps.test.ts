import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const node = nodeForTests({ WARREN_API_URL: api.url });
const python = pythonForTests({ WARREN_API_URL: api.url });

/** What is told of each program's run, of which the first logs nothing twice. */
const TOLD = [
  [],
  [
    'warren: log: loss is logged at step 0 after step 1: where a step has a value already, the first one is kept (told once)',
  ],
  ['warren: log: acc is logged again at step 4: where a step has a value already, the first one is kept (told once)'],
];
const told = (stderr: string) => stderr.split('\n').filter((line) => line.includes('the first one is kept'));

/** What is logged twice, by step. */
const LOGGED = [
  // metrics that share a step, and one that is evaluated late
  [
    { 3: { loss: 1 } },
    { 3: { acc: 1 } },
    { 9: { loss: 1 } },
    { 3: { valid: 1 } },
    { 8: { valid: 1 } },
    { 9: { acc: 2 } },
  ],
  // a counter that begins anew with each epoch
  [{ 0: { loss: 1 } }, { 1: { loss: 1 } }, { 0: { loss: 2 } }, { 1: { loss: 2 } }, { 1: { loss: 3 } }],
  [{ 4: { loss: 1, acc: 1 } }, { 4: { valid: 1, acc: 2 } }, { 4: { acc: 3 } }],
];

it.skipIf(python === null)('a Python program is told once a run of a value whose step has one already', async () => {
  const found: string[][] = [];
  for (const calls of LOGGED) {
    const lines = calls.map(
      (call) => `for step, data in ${JSON.stringify(call)}.items(): run.log(data, step=int(step))`,
    );
    const { code, stderr } = await python!.start(`import warren\nrun = warren.init()\n${lines.join('\n')}`).ended;
    expect(code, stderr).toBe(0);
    found.push(told(stderr));
  }
  expect(found).toEqual(TOLD);
});

it('a Node program is told once a run of a value whose step has one already', async () => {
  const found: string[][] = [];
  for (const calls of LOGGED) {
    const { code, stderr } = await node.start(`
const run = await warren.init();
for (const call of ${JSON.stringify(calls)})
  for (const [step, data] of Object.entries(call)) run.log(data, Number(step));
await run.finish();`).ended;
    expect(code, stderr).toBe(0);
    found.push(told(stderr));
  }
  expect(found).toEqual(TOLD);
});
