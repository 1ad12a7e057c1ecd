import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { builtFile, projectRoot } from '#src/base/lib/projectRoot.ts';
import { startProgram } from '../runtime/testWorkers.ts';
import { apiProcessesForTests } from '../support/apiProcessesForTests.ts';
import { clientOf } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { runShell, startShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const document = documentForTests('your-own-model.md');
const postgres = await postgresForTests();
const startApi = apiProcessesForTests();
const folder = temporaryFolder();
const modules = join(folder, 'my-kinds');
const home = join(folder, 'home');
const here = { '/home/me/my-kinds': modules };
const model = document.take('model');
const extras = document.take('presets-and-datasets');
const readers = document.take('readers');
const metrics = document.take('metrics');
const problem = document.take('problem', here);
const types = document.take('types', { '/opt/warren': projectRoot() });
const attempt = document.take('try', here);
const compare = document.take('compare', {
  'demo/lag-mixer --seeds': 'demo/lag-mixer --set epochs=5 --seeds',
  'epochs=20': 'epochs=1',
  '--seeds 1-5': '--seeds 1-3',
  '1 2 3 4 5 6 7 8 9 10': '1 2 3 4 5 6',
  '--baseline 6': '--baseline 4',
});

beforeAll(() => {
  mkdirSync(modules);
  writeFileSync(join(modules, 'lagMixer.ts'), model);
  writeFileSync(join(modules, 'shop.ts'), extras);
  writeFileSync(join(modules, 'reader.ts'), readers);
  writeFileSync(join(modules, 'guess.ts'), metrics);
  writeFileSync(join(modules, 'tsconfig.json'), types);
});

it('is at most sixty lines long, and passes the type checker with the tsconfig of the document', async () => {
  expect(model.trim().split('\n').length).toBeLessThanOrEqual(60);
  const compiler = join(projectRoot(), 'node_modules', '.bin', 'tsc');
  await runShell(`${compiler} --noEmit -p . >&2`, {}, modules);
});

it('is listed, explained and run at once', async () => {
  const printed = await runShell(attempt, { WARREN_HOME: home });
  expect(printed).toMatch(/^lag-mixer +Lag mixer +sequences +1 .*lagMixer\.ts/m);
  expect(printed).toMatch(/^guess +Guess +none /m);
  expect(printed).toContain('Last items that are mixed.');
  expect(printed).toMatch(/test\/ndcg@10/);
});

it('reads files in a form of one’s own, by the name of the reader', async () => {
  const log = join(folder, 'log');
  writeFileSync(log, 'ana saw lamp on 2026-11-28\nbob bought lamp on 2026-11-28\nbob saw chair on 2026-11-29\n');
  const variables = { WARREN_HOME: home, WARREN_KINDS: modules };
  const printed = await runShell(`npm run -s warren -- data import my-log ${log} --format my-log --json`, variables);
  expect(JSON.parse(printed)).toMatchObject({
    users: 2,
    items: 2,
    interactions: 2,
    files: [{ first: { user: 'ana' } }],
  });
});

it('is left out with the reason where something is wrong', async () => {
  const broken = join(folder, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, 'lagMixer.ts'), model.replace(/\.describe\('Last items[^']*'\)/, ''));
  const variables = { WARREN_HOME: home, WARREN_KINDS: broken };
  const { stderr } = await startShell('npm run -s warren -- kinds', variables).ended;
  expect(stderr.trim()).toBe(problem.trim().replace(modules, broken));
});

it('is executed by a worker over several seeds, and compared with SASRec', async () => {
  const variables = { WARREN_HOME: home, WARREN_KINDS: modules, DATABASE_URL: postgres.url };
  const api = startApi({ ...variables, WARREN_PORT: '0' });
  const url = await waitUntil('the API', () => api.url, 60_000);
  await startProgram(builtFile('worker.js'), { ...variables, WARREN_API_URL: url, WARREN_SLOTS: '2' });
  const printed = await runShell(compare, { WARREN_HOME: home, WARREN_API_URL: url });
  expect(printed).toMatch(/^#1-3 demo\/lag-mixer.* (better|worse|undecided) +3 /m);
  const { ok } = clientOf(url);
  const { runs } = await ok('{ runs(first: 20) { edges { node { state configuration { kind } } } } }');
  const ended = runs.edges.map(({ node }: { node: { state: string; configuration: { kind: string } } }) => [
    node.configuration.kind,
    node.state,
  ]);
  const three = (kind: string) => Array.from({ length: 3 }, () => [kind, 'SUCCEEDED']);
  expect(ended).toEqual([...three('sasrec'), ...three('lag-mixer')]);
  const { experimentKinds, datasets } = await ok(
    '{ experimentKinds { kind presets { name } } datasets { name title } }',
  );
  expect(experimentKinds).toContainEqual({ kind: 'lag-mixer', presets: [{ name: 'demo/lag-mixer' }] });
  const sasRec = experimentKinds.find(({ kind }: { kind: string }) => kind === 'sasrec');
  expect(sasRec.presets).toContainEqual({ name: 'mine/sasrec-shop' });
  expect(datasets).toContainEqual({ name: 'my-shop', title: 'My shop, clicks of 2026' });
});
