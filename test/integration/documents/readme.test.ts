import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { aWorker, claim, point, servicesForTests } from '../services/support.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('../README.md');
const api = await apiForTests();
const folder = temporaryFolder();
const python = pythonForTests({ WARREN_API_URL: api.url });
const twoCommands = document.take('two-commands');
const queue = document.take('queue');
const compare = document.take('compare', { 'points.csv': join(folder, 'points.csv') });
const local = document.take('local');
const log = document.take('log');
const variables = { WARREN_API_URL: api.url, WARREN_HOME: folder };

it('is short', () => {
  expect(readFileSync(join(projectRoot(), 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(150);
});

// `npm test` is running, and demo.test.ts runs the demo.
it('names two commands that there are', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')));
  const names = [...twoCommands.matchAll(/^npm (?:run )?(\w+)/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => name in scripts)).toEqual(['demo', 'test']);
});

it('queues runs, and when they have ended compares and exports them', async () => {
  expect(await runShell(queue, variables)).toMatch(/#10 +queued/);
  const context = await servicesForTests(api.postgres.url);
  const worker = await aWorker(context);
  const { runs } = await api.ok('{ runs { edges { node { id number seed } } } }');
  for (const { id, number, seed } of runs.edges.map(({ node }: { node: unknown }) => node)) {
    await claim(context, { id }, { worker });
    const holder = { runId: id, attempt: 1, workerId: worker.id };
    const value = 0.03 + seed / 1000 + (number > 5 ? 0.01 + seed / 10_000 : 0);
    await recordReports(context, { ...holder, reports: [point('test/ndcg@10', 0, value)] });
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
  }
  expect(await runShell(compare, variables)).toContain('p');
  expect(readFileSync(join(folder, 'points.csv'), 'utf8')).toContain('test/ndcg@10');
});

it('computes without services', async () => {
  expect(JSON.parse(await runShell(local, variables)).metrics['test/ndcg@10']).toBeGreaterThan(0);
});

it.skipIf(python === null)('logs from Python', async () => {
  await python!.run(log);
  const { project } = await api.ok('{ project(name: "mine") { runs { edges { node { state } } } } }');
  expect(project.runs.edges).toEqual([{ node: { state: 'SUCCEEDED' } }]);
});
