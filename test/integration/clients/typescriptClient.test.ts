import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell, startShell } from '../support/runShell.ts';
import { waitUntil } from '../support/waitUntil.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const { runOf, history, logTexts, alertsOf } = loggedRuns(api);

describe('the TypeScript client', () => {
  const client = join(projectRoot(), 'dist', 'clients');
  const { folder, start, run } = nodeForTests({ WARREN_API_URL: api.url });

  it('logs metrics, parameters, media and files, and ends the run when the program ends', async () => {
    writeFileSync(join(folder, 'model.txt'), 'weights');
    const printed = await run(`
process.argv.push('program', '--lr', '0.1', '--api-key=hidden');
const run = await warren.init({ project: 'mine', name: 'node', config: { lr: 0.1, seed: 3 }, tags: ['a'] });
warren.config.update({ optimizer: 'adam' });
warren.log({ train: { loss: 1 }, image: new warren.Image([[0, 0.5], [1, 0.25]]) });
warren.log({ 'train/loss': Infinity }, 7);
warren.summary.best = 0.25;
warren.alert('look', 'here');
warren.logArtifact('model.txt');
if (run.config.get('seed') !== 3) throw new Error('the program sees its own parameters');
console.log(run.id);
process.exit(0);
`);
    const found = await runOf(printed);
    expect(found).toMatchObject({
      name: 'node',
      state: 'SUCCEEDED',
      seed: 3,
      user: userInfo().username,
      tags: ['a'],
      configuration: { parameters: { lr: 0.1, optimizer: 'adam' } },
      artifacts: [{ name: 'model.txt' }],
    });
    expect(await history(found.id, 'train/loss')).toEqual({ steps: [0, 7], values: [1, 'Infinity'] });
    expect(await history(found.id, 'best')).toEqual({ steps: [7], values: [0.25] });
    expect(found.environment.arguments, 'no secrets').toEqual(['--lr', '0.1', '--api-key=…']);
    expect(await logTexts(found.id)).toEqual(['look: here', found.id]);
    expect(await alertsOf(found.id)).toEqual([`mine: run ${found.number} “node”: look (here, warn)`]);
    const { media } = (await api.ok('query ($id: ID!) { run(id: $id) { media { kind metadata } } }', { id: found.id }))
      .run;
    expect(media).toEqual([{ kind: 'image', metadata: { width: 2, height: 2 } }]);
    expect(readdirSync(join(folder, 'warren-runs')), 'what is sent is removed').toEqual(['.gitignore']);
  });

  it('keeps what a killed program had logged, and what was logged while the server was away; each arrives once', async () => {
    const id = '3d8f1d0a-26a4-4a6e-a1dc-55ddc71ef9a3';
    const killed = start(`
await warren.init({ project: 'mine', id: '${id}' });
for (let step = 0; step < 1000; step++) warren.log({ loss: step });
process.kill(process.pid, 'SIGKILL');
`);
    await killed.ended;
    await run(`
const run = await warren.init({ project: 'mine', id: '${id}', resume: 'must' });
warren.log({ loss: -1 });
await warren.finish();
`);
    expect(await runOf(id)).toMatchObject({
      state: 'SUCCEEDED',
      metrics: [{ pointCount: 1001, lastStep: 1000, lastValue: -1 }],
    });
    const printed = await run(
      `
const run = await warren.init({ project: 'mine', server: 'http://127.0.0.1:9' });
for (let step = 0; step < 100; step++) warren.log({ loss: step });
await warren.finish({ patience: 0 });
console.log(run.id);
const synced = await warren.sync('warren-runs', { server: process.env.WARREN_API_URL });
console.log(synced.map(({ outcome }) => outcome).join());
`,
    );
    expect(printed).toContain('nothing new,sent');
    expect(await runOf(printed.split('\n')[0]!)).toMatchObject({ state: 'SUCCEEDED', metrics: [{ pointCount: 100 }] });
  });

  it('makes the run whatever its name and tags are', async () => {
    const printed = await run(
      "const run = await warren.init({ name: 'n'.repeat(300), tags: ['', ' a ', 'a', 't'.repeat(150)] });\nconsole.log(run.id);",
    );
    expect(await runOf(printed.trim())).toMatchObject({ name: 'n'.repeat(200), tags: ['a', 't'.repeat(100)] });
  });

  it('ends the run as FAILED with the reason when the program throws', async () => {
    const { code, stdout } = await start(
      "console.log((await warren.init()).id); setTimeout(() => { throw new Error('no convergence'); });",
    ).ended;
    expect(code).toBe(1);
    expect(await runOf(stdout)).toMatchObject({ state: 'FAILED', error: { message: 'Error: no convergence' } });
  });

  it('is interrupted as by Ctrl-C when somebody cancels its run, also while it computes', async () => {
    const program = start(`
const run = await warren.init({ project: 'mine' });
console.log(run.id);
warren.log({ loss: 1 });
for (let next = Date.now(), left = 1000; left > 0; ) {
  if (Date.now() < next) continue;
  warren.log({ loss: left-- });
  next = Date.now() + 50;
}
`);
    await waitUntil('its first loss', async () => {
      const id = program.stdout().trim();
      return id !== '' && (await runOf(id)).metrics.length > 0;
    });
    const id = program.stdout().trim();
    await api.ok('mutation ($id: ID!) { cancelRuns(ids: [$id]) { done } }', { id });
    const { stderr } = await program.ended;
    expect([program.child.signalCode, stderr]).toEqual(['SIGINT', expect.stringContaining('has ended (CANCELLED)')]);
    expect(await runOf(id)).toMatchObject({ state: 'CANCELLED' });
  });

  it.skipIf(python === null)('writes a journal that the Python client sends', async () => {
    const id = (
      await run(
        "const run = await warren.init({ mode: 'offline', dir: 'away' });\nwarren.log({ loss: NaN, note: new warren.Text('x') });\nawait warren.finish();\nconsole.log(run.id);",
      )
    ).trim();
    await python!.run(
      `import sys\nfrom warren.__main__ import main\nsys.exit(main(["sync", "${folder}/away", "--server", "${api.url}"]))`,
    );
    expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED', metrics: [{ name: 'loss', lastValue: 'NaN' }] });
  });

  it('keeps what the program prints, its uncommitted changes and its packages', async () => {
    const code = join(folder, 'code');
    const script = `
import { writeSync } from 'node:fs';
import * as warren from '${client}/warren.mjs';
const run = await warren.init({ project: 'mine' });
console.log('one\\ntwo');
process.stdout.write('10 %\\r50 %\\r100 %\\n');
process.stderr.write(Buffer.from('schön').subarray(0, 4));
process.stderr.write(Buffer.from('schön').subarray(4));
writeSync(1, run.id);
`;
    mkdirSync(join(code, 'node_modules'), { recursive: true });
    writeFileSync(join(code, 'train.mjs'), '');
    const packages = {
      'node_modules/zod': { version: '4.0.0' },
      'node_modules/a/node_modules/@b/c': { version: '1.2.3' },
    };
    writeFileSync(join(code, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
    const as = '-c user.name=a -c user.email=a@example.com';
    await runShell(`git init -q . && git add train.mjs && git ${as} commit -qm begun`, {}, code);
    writeFileSync(join(code, 'train.mjs'), script);
    const printed = await runShell('node train.mjs', { WARREN_API_URL: api.url }, code);
    const id = printed.split('\n').at(-1)!;
    const { logs } = await api.ok('query ($id: ID!) { logs(runId: $id) { lines { level text } } }', { id });
    expect(logs.lines.map(({ level, text }: Record<string, string>) => `${level} ${text}`)).toEqual([
      ...['info one', 'info two', 'info 100 %', 'info schön'],
    ]);
    const { environment, artifacts } = await runOf(id);
    expect(environment).toMatchObject({ codeChanged: true, codeCommit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const texts = artifacts.map(async ({ url }: { url: string }) => await (await api.fetch(url)).text());
    expect(await Promise.all(texts)).toEqual(['@b/c@1.2.3\nzod@4.0.0', expect.stringContaining('+console.log(')]);
  });

  it.each(['esm', 'cjs'] as const)('works within a program that is bundled into one file (%s)', async (format) => {
    const program = `import * as warren from '${client}/warren.mjs';
async function train() {
  const run = await warren.init({ project: 'bundled' });
  run.log({ loss: 1 });
  await warren.finish();
  console.log(run.id);
}
train();`;
    const outfile = join(folder, `bundled.${format === 'esm' ? 'mjs' : 'cjs'}`);
    const stdin = { contents: program, resolveDir: folder };
    const { warnings } = await build({ stdin, outfile, format, bundle: true, platform: 'node', logLevel: 'silent' });
    expect(warnings).toEqual([]);
    const { code, stdout } = await startShell(`node '${outfile}'`, { WARREN_API_URL: api.url }, folder).ended;
    expect([code, stdout.trim().split('\n')]).toEqual([0, [expect.any(String)]]);
    expect(await runOf(stdout)).toMatchObject({ state: 'SUCCEEDED', metrics: [{ name: 'loss', pointCount: 1 }] });
  });

  it('does the same in a page, from its memory', async () => {
    const { init, log, finish, Text }: typeof import('#clients/typescript/browser.ts') = await import(
      join(client, 'warren.browser.mjs')
    );
    const { id } = await init({ server: api.url, project: 'mine', name: 'page' });
    log({ loss: 1, note: new Text('x') });
    await finish();
    expect(await runOf(id)).toMatchObject({
      name: 'page',
      state: 'SUCCEEDED',
      metrics: [{ name: 'loss', pointCount: 1 }],
    });
  });
});
