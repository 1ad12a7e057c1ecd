import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import type { RunningShell } from '../support/runShell.ts';
import { waitUntil } from '../support/waitUntil.ts';

const api = await apiForTests();
const { runOf, logTexts } = loggedRuns(api);
const { folder, start, run } = nodeForTests({ WARREN_API_URL: api.url });

/** Begins a run, prints its id, and computes without a pause. */
const BUSY = `
const run = await warren.init({ project: 'mine' });
warren.log({ loss: 1 });
process.stdout.write(run.id + '\\n');
for (let next = Date.now(), step = 0; ; ) {
  if (Date.now() < next) continue;
  warren.log({ loss: step++ });
  next = Date.now() + 5;
}
`;

/** The id of the run, once the program has printed it. */
async function idOf(program: RunningShell): Promise<string> {
  await waitUntil('the id of its run', () => program.stdout().includes('\n'));
  return program.stdout().trim();
}

/** As a terminal does for Ctrl-C: the program and all that it has started. */
async function press(program: RunningShell, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  process.kill(-program.child.pid!, signal);
  await program.ended;
}

const isLeft = (id: string) => existsSync(join(folder, 'warren-runs', id));

it('ends the run as CANCELLED where Ctrl-C ends a program that computes, with all that it had logged and printed', async () => {
  const program = start(BUSY);
  const id = await idOf(program);
  await press(program);
  expect(program.child.signalCode).toBe('SIGINT');
  await waitUntil('the journal is sent', () => !isLeft(id));
  const { state, metrics } = await runOf(id);
  expect([state, metrics[0]?.pointCount]).toEqual(['CANCELLED', Number(metrics[0]?.lastStep) + 1]);
  expect(await logTexts(id)).toEqual([id]);
  expect(program.stderr()).not.toContain('not all');
});

it('has kept a line before anybody can read it, and end the program for it', async () => {
  const kept = await run(`
import { readdirSync, readFileSync } from 'node:fs';
const print = process.stdout.write;
const kept = [];
process.stdout.write = function (...given) {
  const journal = readdirSync('first', { recursive: true }).find((name) => name.endsWith('.jsonl'));
  kept.push(readFileSync('first/' + journal, 'utf8').includes('a line to be read'));
  return print.apply(this, given);
};
await warren.init({ project: 'mine', mode: 'offline', dir: 'first', saveCode: false });
console.log('a line to be read');
await warren.finish();
process.stdout.write = print;
console.log(kept);
`);
  expect(kept).toBe('a line to be read\n[ true ]\n');
});

it('goes on after Ctrl-C with the same run, whoever sends the rest', async () => {
  const busy = BUSY.replace("project: 'mine'", "project: 'mine', id: 'again', resume: 'allow'");
  const program = start(busy);
  const id = await idOf(program);
  await press(program);
  const printed = await run(`
const run = await warren.init({ project: 'mine', id: 'again', resume: 'must' });
console.log(run.step);
warren.log({ loss: -1 });
await warren.finish();
`);
  await waitUntil('the journal is sent', () => !readdirSync(join(folder, 'warren-runs')).includes(id));
  const step = Number(printed.trim());
  expect(await runOf(id)).toMatchObject({
    state: 'SUCCEEDED',
    metrics: [{ lastStep: step, pointCount: step + 1, lastValue: -1 }],
  });
});

it('leaves a program that handles Ctrl-C itself to end its run, and a killed one to the next', async () => {
  const handling = start(`
const run = await warren.init({ project: 'mine' });
process.on('SIGINT', () => setTimeout(() => process.exit(0), 100));
console.log(run.id);
setInterval(() => {}, 1000);
`);
  const handled = await idOf(handling);
  await press(handling);
  expect(await runOf(handled)).toMatchObject({ state: 'SUCCEEDED' });
  const program = start(BUSY);
  const killed = await idOf(program);
  process.kill(program.child.pid!, 'SIGKILL');
  await program.ended;
  expect(isLeft(killed)).toBe(true);
  await run("await warren.init({ project: 'mine' });\nawait warren.sync();");
  expect(await runOf(killed)).toMatchObject({ state: 'RUNNING' });
});

it('keeps the end of an offline run for whoever syncs it', async () => {
  const program = start(BUSY, { WARREN_MODE: 'offline' });
  const id = await idOf(program);
  await press(program);
  await run(`
while (true) {
  await warren.sync();
  const { state } = await warren.api().run('${id}');
  if (state === 'CANCELLED') break;
}
`);
});

it('never begins a program that is one file with its Node anew, and leaves the rest to its next start', async () => {
  const program = start(`process.execPath = '${join(folder, 'trainer')}';\n${BUSY}`);
  const id = await idOf(program);
  await press(program);
  const [journal = ''] = readdirSync(join(folder, 'warren-runs', id)).filter((name) => name.endsWith('.jsonl'));
  const path = join(folder, 'warren-runs', id, journal);
  await waitUntil('the end is written', () => readFileSync(path, 'utf8').includes('CANCELLED'));
  expect(existsSync(`${path}.rest`)).toBe(false);
  await run("await warren.init({ project: 'mine' });\nawait warren.sync();");
  expect(await runOf(id)).toMatchObject({ state: 'CANCELLED' });
});

it('records a program beside which no process can be started', async () => {
  const id = await run(`
process.env.LONG = 'x'.repeat(3_000_000);
const run = await warren.init({ project: 'mine' });
warren.log({ loss: 1 });
console.log(run.id);
await warren.finish();
`);
  expect(await runOf(id.trim())).toMatchObject({ state: 'SUCCEEDED', metrics: [{ pointCount: 1 }] });
});
