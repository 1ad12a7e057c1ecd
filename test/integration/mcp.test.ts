import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { atEndOfFile } from './support/atEndOfFile.ts';
import { createExternalRun, LOG_METRICS } from './support/externalRunCalls.ts';
import { insertManyRuns } from './support/manyRuns.ts';
import { mcpForTests } from './support/mcpForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';

const api = await apiForTests();
const VALUES = { 0.1: [0.3, 0.31, 0.32], 0.01: [0.35, 0.362, 0.369] };
const db = openDatabase(api.postgres.url, { poolSize: 1 });
await insertManyRuns(
  db,
  Object.entries(VALUES).flatMap(([rate, seeds]) =>
    seeds.map((value, index) => ({
      ...{ kind: 'external', datasetName: 'mine', parameters: { learningRate: Number(rate) }, seed: index + 1 },
      metrics: { 'test/ndcg@10': value },
    })),
  ),
);
await closeDatabase(db);
/** With a curve of a hundred points, and a log. */
const curved = await createExternalRun(api, { project: 'curves', name: 'curved', parameters: { depth: 3 } });
const steps = Array.from({ length: 100 }, (_, step) => step);
await api.ok(LOG_METRICS, {
  runId: curved,
  series: [{ name: 'train/loss', steps, values: steps.map((step) => 100 - step) }],
});
await api.ok('mutation ($run: ID!, $lines: [LogLineInput!]!) { logLines(runId: $run, from: 0, lines: $lines) }', {
  run: curved,
  lines: [
    ...['one', 'two', 'three'].map((text) => ({ text: `epoch ${text}` })),
    { level: 'error', text: 'CUDA out of memory' },
  ],
});
const variables = { WARREN_API_URL: api.url, WARREN_HOME: temporaryFolder() };
const { client, call } = await mcpForTests({ variables });
const allowed = await mcpForTests({ variables, parameters: ['--allow-changes'] });

it('has tools that only read, each with a description, unless it is told otherwise', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ['compare_runs', 'datasets', 'find_runs', 'group_runs', 'kinds', 'run_curves', 'run_log', 'show_run', 'status']
      .concat(['studies', 'sweeps'])
      .sort(),
  );
  for (const { annotations, description = '' } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    expect(description.length).toBeGreaterThan(40);
  }
  await expect(call('queue_runs', { kind: 'item-knn' })).rejects.toThrow('queue_runs');
});

it('speaks the newer protocol, too', async () => {
  const modern = await mcpForTests({ variables, modern: true });
  expect((await modern.call('status')).data).toMatchObject({ url: api.url, projects: ['curves', 'default'] });
});

it('finds runs with columns, and goes on where an answer ended', async () => {
  const input = { filter: 'dataset = mine', columns: ['seed', 'config.learningRate', 'test/ndcg@10'], limit: 4 };
  const first = await call('find_runs', input);
  expect(first.text).toContain('| #6 | 3 | 0.01 | 0.3690 |');
  expect(first.text).toContain('4 of 6 runs; call again with after');
  expect(first.data.runs[0]).toMatchObject({ number: 6, metrics: { 'test/ndcg@10': 0.369 } });
  const second = await call('find_runs', { ...input, after: first.data.next });
  expect(second.data.runs.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
  expect(second.data.next).toBeNull();
});

it('explains a filter that is wrong, and names what is near', async () => {
  const wrong = await call('find_runs', { filter: 'learningRat < 0.1' });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('learningRate') });
  expect((await call('find_runs', { filter: 'metric."test/ndcg" > 0' })).text).toContain(
    'Did you mean "test/ndcg@10"?',
  );
  expect((await call('find_runs', { limits: 3 })).text).toMatch(/Unrecognized key.*limits/);
  expect((await call('show_run', { run: 'none' })).text).toMatch(/^"none" is not a run: give its number/);
  expect((await call('show_run', { run: 999 })).text).toMatch(/^there is no run 999/);
  expect((await call('kinds', { kind: 'sasrek' })).text).toContain('sasrec');
});

it('tells one run, its curve in as many buckets as were asked for, and the lines of its log that match', async () => {
  const shown = await call('show_run', { run: 7 });
  expect(shown.text).toContain('| depth | 3 |');
  expect(shown.data).toMatchObject({
    address: `${api.url}/runs/7`,
    metrics: [{ name: 'train/loss', minimum: 1, maximum: 100 }],
  });
  const { data } = await call('run_curves', { runs: ['#7'], metrics: ['train/loss'], points: 10 });
  expect(data.series[0].steps.length).toBeLessThanOrEqual(10);
  expect(data.series[0]).toMatchObject({ run: 7, metric: 'train/loss', pointCount: 100 });
  expect(Math.max(...data.series[0].maximum)).toBe(100);
  expect((await call('run_curves', { runs: [7], metrics: ['train/los'] })).text).toContain(
    'Did you mean "train/loss"?',
  );
  expect((await call('run_log', { run: 7, lines: 2 })).data.lines.map(({ text }: { text: string }) => text)).toEqual([
    'epoch three',
    'CUDA out of memory',
  ]);
  const found = await call('run_log', { run: 7, search: 'EPOCH', lines: 1 });
  expect(found.data).toMatchObject({ matched: 3, lines: [{ text: 'epoch three' }] });
  expect((await call('run_log', { run: 7, level: 'warn' })).data.lines).toHaveLength(1);
});

it('tells why a run failed, and what to do about it', async () => {
  const runId = await createExternalRun(api, { project: 'curves' });
  await api.ok(
    'mutation ($runId: ID!) { finishRun(runId: $runId, state: FAILED, errorMessage: "no such file") { id } }',
    {
      runId,
    },
  );
  const { text, data } = await call('show_run', { run: runId });
  expect(data).toMatchObject({ state: 'FAILED', error: { message: 'no such file' } });
  expect(text).toMatch(/Error RUN_FAILED: no such file\n.*then run again/);
});

it('groups seeds and tests them: p is that of the paired t-test', async () => {
  const differences = VALUES[0.01].map((value, index) => value - (VALUES[0.1][index] ?? 0));
  const mean = differences.reduce((sum, value) => sum + value) / 3;
  const deviation = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2);
  const t = mean / (deviation / Math.sqrt(3));
  // Student's distribution with two degrees of freedom has a closed form
  const p = 1 - t / Math.sqrt(t ** 2 + 2);
  const compared = await call('compare_runs', { runs: [1, 2, 3, 4, 5, 6], metrics: ['test/ndcg@10'] });
  const [{ test, pHolm }] = compared.data.tests[0].tests;
  expect(test.p).toBeCloseTo(p, 9);
  expect(pHolm ?? test.p).toBeCloseTo(p, 9);
  expect(test.difference).toBeCloseTo(mean, 12);
  expect(compared.text).toMatch(/\| better \| 3 \|/);
  const grouped = await call('group_runs', { filter: 'dataset = mine', groupBy: ['learningRate'], baseline: 1 });
  expect(grouped.text).toMatch(/\| 0\.01 \| 3 \| \*\*0\.3603 ± 0\.0096\*\* \| better \(0\.0003\) \|/);
  expect((await call('compare_runs', { runs: [1] })).text).toBe('runs: one run cannot be compared: give at least two');
});

it('tells kinds, presets, datasets, studies and sweeps', async () => {
  expect((await call('kinds', { kind: 'sasrec' })).text).toMatch(/\| optimizer\.learningRate \| number \|/);
  expect((await call('kinds', { kind: 'sasrec', preset: 'sevo/sasrec-beauty' })).text).toContain('amazon-beauty');
  expect((await call('datasets', { dataset: 'amazon-beauty' })).text).toContain('Licence');
  expect((await call('studies')).text).toContain('leporid/table-3');
  expect((await call('studies', { study: 'leporid/table-3' })).text).toContain('cells are not measured');
  expect((await call('sweeps')).text).toBe('There are no sweeps yet.');
});

it('has the question whether one is better as a prompt', async () => {
  const { messages } = await client.getPrompt({ name: 'is_better', arguments: { a: 'sasrec', b: 'gru4rec' } });
  expect(JSON.stringify(messages)).toContain('Is sasrec better than gru4rec');
});

it('queues, tags, notes, cancels and sweeps where changes are allowed, and says what it did', async () => {
  const { tools } = await allowed.client.listTools();
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.get('queue_runs')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(hints.get('cancel_runs')).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  expect(hints.has('queue_command')).toBe(false);
  const wanted = {
    kind: 'item-knn',
    dataset: 'generated/markov-small',
    set: { neighbours: 10 },
    seeds: [1, 2],
    key: 'k',
  };
  const queued = await allowed.call('queue_runs', wanted);
  const [{ number }] = queued.data.runs;
  expect(queued.text).toContain(`${api.url}/runs/${number}`);
  expect((await allowed.call('queue_runs', wanted)).data.runs[0].number).toBe(number);
  const state = 'query ($id: ID!) { run(id: $id) { state seed tags notes configuration { parameters } } }';
  expect((await api.ok(state, { id: number })).run).toMatchObject({
    state: 'QUEUED',
    configuration: { parameters: { neighbours: 10 } },
  });
  expect((await allowed.call('queue_runs', { kind: 'command' })).isError).toBe(true);
  expect((await allowed.call('tag_runs', { runs: [number], add: ['try'] })).text).toContain('added try');
  expect((await allowed.call('note_runs', { runs: [number], note: 'Looks well.' })).isError).toBe(false);
  expect((await allowed.call('cancel_runs', { runs: [number, 1] })).text).toMatch(
    /cancelled[\s\S]*#1 .*nothing was done/,
  );
  expect((await api.ok(state, { id: number })).run).toMatchObject({
    state: 'CANCELLED',
    tags: ['try'],
    notes: 'Looks well.',
  });
  expect((await allowed.call('retry_runs', { runs: [number] })).data.outcomes[0]).toMatchObject({ done: true });
  const sweep = await allowed.call('create_sweep', {
    ...{ kind: 'item-knn', dataset: 'generated/markov-small', set: { shrinkage: 'uniform(0,100)' } },
    ...{ metric: 'valid/ndcg@10', method: 'sobol', trials: 2 },
  });
  expect(sweep.text).toContain(`${api.url}/sweeps/1`);
  expect((await call('sweeps', { sweep: 1 })).data).toMatchObject({ method: 'sobol', kind: 'item-knn' });
});

it('queues commands, and executes them again, only where that is allowed, too', async () => {
  const context = await servicesForTests(api.postgres.url);
  const { token } = await issueToken(context, { name: 'agent', role: 'WRITE', mayQueueCommands: true });
  const both = await mcpForTests({
    variables: { ...variables, WARREN_TOKEN: token },
    parameters: ['--allow-changes', '--allow-commands'],
  });
  const queued = await both.call('queue_command', { command: ['echo', '{word}', '{seed}'], set: { word: 'hello' } });
  expect(queued.text).toContain('Queued 1 run in project default.');
  const [{ number }] = queued.data.runs;
  const inFolder = async (folder: string) => (await both.call('queue_command', { command: ['ls'], folder })).text;
  expect(await inFolder('src')).toContain('expected an absolute path, not "src"');
  expect(await inFolder('/no/such/folder')).toBe('there is no folder /no/such/folder');
  await both.call('cancel_runs', { runs: [number] });
  expect((await allowed.call('retry_runs', { runs: [number] })).text).toContain('--allow-commands');
  expect((await both.call('retry_runs', { runs: [number] })).data.outcomes[0]).toMatchObject({ done: true });
});

it('says that no Warren answers, and goes on when one is back', async () => {
  const port = await freePort(0);
  const forward = createServer(async (request, response) => {
    const body = await new Response(request).text();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}${request.url}`, { method: 'POST', headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  atEndOfFile(() => void forward.close());
  const session = await mcpForTests({ variables: { ...variables, WARREN_API_URL: `http://127.0.0.1:${port}` } });
  const away = await session.call('find_runs', { filter: 'number = 1' });
  expect(away).toMatchObject({ isError: true, text: expect.stringMatching(/^no Warren answers at http:\/\/127/) });
  await new Promise<void>((resolve) => forward.listen(port, '127.0.0.1', resolve));
  expect((await session.call('find_runs', { filter: 'number = 1' })).data.total).toBe(1);
});

it('writes nothing but the protocol on stdout, and ends with its stdin', async () => {
  const child = spawn(process.execPath, [builtFile('cli.js'), 'mcp'], { env: { ...process.env, ...variables } });
  let out = '';
  const ask = (id: number, method: string, params: unknown) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } });
  ask(2, 'tools/call', { name: 'find_runs', arguments: {} });
  const code = await new Promise((resolve) => {
    child.on('exit', resolve);
    child.stdout.on('data', (text) => {
      out += String(text);
      if (out.includes('"id":2')) child.stdin.end();
    });
  });
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ id }) => id)).toEqual([1, 2]);
  expect(lines[0].result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'warren' } });
  expect(code).toBe(0);
});
