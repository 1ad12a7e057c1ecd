import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runWarren } from '../support/warrenCommand.ts';

const api = await apiForTests();
/** Mutations whose first answer was lost. */
const lost: string[] = [];
const url = await loseAnswers();
const variables = { WARREN_API_URL: url };
const node = nodeForTests(variables);
const python = pythonForTests(variables);

/** A proxy of the API that breaks the connection in place of the first answer to each mutation: it has happened by then. */
async function loseAnswers(): Promise<string> {
  const known = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { 'content-type': type = '', accept = '*/*' } = request.headers;
    const answer = await fetch(`${api.url}${request.url}`, {
      method: request.method!,
      headers: { 'content-type': type, accept },
      ...(body.byteLength === 0 ? {} : { body }),
    });
    const text = await answer.text();
    const [, mutation] = /mutation\b[^{]*\{\s*(\w+)/.exec(JSON.parse(body.toString()).query) ?? [];
    const called = `${mutation} ${request.headers['user-agent']}`;
    if (mutation !== undefined && !known.has(called)) {
      known.add(called);
      lost.push(mutation);
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const SWEEP = `{ method: 'grid', metric: { name: 'loss' }, parameters: { x: { values: [1, 2] } } }`;
const countSweeps = async (project: string): Promise<number> =>
  (await api.ok('query ($project: String) { sweeps(project: $project) { id } }', { project })).sweeps.length;

it('the command line queues runs once where the answer was lost, and answers them', async () => {
  const options = ['--dataset', 'generated/markov-small', '--project', 'command', '--seeds', '1-2', '--json'];
  const { code, stdout, stderr } = await runWarren(['run', 'popularity', ...options], variables);
  expect([code, stderr]).toEqual([0, expect.stringContaining('asking again')]);
  const { runs } = await api.ok('{ runs(project: "command") { edges { node { id seed } } } }');
  const ids = runs.edges.map(({ node: run }: { node: { id: string } }) => run.id).sort();
  expect(
    JSON.parse(stdout)
      .map(({ id }: { id: string }) => id)
      .sort(),
  ).toEqual(ids);
  expect(ids).toHaveLength(2);
  expect(lost).toContain('enqueueRuns');
});

it('a sweep is started once from Node where the answer was lost', async () => {
  const printed = await node.run(`console.log(await warren.sweep(${SWEEP}, { project: 'node' }));`);
  expect([Number(printed) > 0, await countSweeps('node')]).toEqual([true, 1]);
});

it.skipIf(python === null)('a sweep is started once from Python where the answer was lost', async () => {
  const file = SWEEP.replaceAll(/(\w+):/g, "'$1':");
  const printed = await python!.run(`import warren\nprint(warren.sweep(${file}, project="python"))`);
  expect([Number(printed) > 0, await countSweeps('python')]).toEqual([true, 1]);
  expect(lost.filter((mutation) => mutation === 'createSweep').length).toBeGreaterThan(0);
});

it.each([['Node'], ['Python']])(
  'a sweep is given more to do once from %s where the answer was lost',
  async (language) => {
    if (language === 'Python' && python === null) return;
    const file = SWEEP.replace('grid', 'random').replace('metric', 'run_cap: 2, metric');
    const number = (await node.run(`console.log(await warren.sweep(${file}, { project: 'more' }));`)).trim();
    if (language === 'Node') await node.run(`await (await warren.api().sweep(${number})).extend({ trials: 3 });`);
    else await python!.run(`import warren\nwarren.Api().sweep(${number}).extend(3)`);
    const { sweep } = await api.ok('query ($id: ID!) { sweep(id: $id) { definition } }', { id: number });
    expect(sweep.definition.budget.trials).toBe(5);
    expect(lost).toContain('extendSweep');
  },
);

it.each([['Node'], ['Python']])('a server whose calls have no keys yet does what %s asks for', async (language) => {
  if (language === 'Python' && python === null) return;
  const older = { WARREN_API_URL: await refuseKeys() };
  const project = `older ${language}`;
  if (language === 'Node') await node.run(`await warren.sweep(${SWEEP}, { project: '${project}' });`, older);
  else {
    const file = SWEEP.replaceAll(/(\w+):/g, "'$1':");
    await python!.run(`import warren\nwarren.sweep(${file}, project="${project}")`, older);
  }
  expect(await countSweeps(project)).toBe(1);
});

/** A proxy of the API that answers calls with a key as a schema without one does. */
async function refuseKeys(): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const headers = { 'content-type': 'application/json' };
    if (body.includes('"key"')) {
      const message =
        'Variable "$input" got invalid value { key: "x" }; Field "key" is not defined by type "CreateSweepInput".';
      const errors = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
      response.writeHead(400, headers).end(JSON.stringify({ errors }));
      return;
    }
    const answer = await fetch(`${api.url}${request.url}`, { method: request.method!, headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
