import { afterAll, expect, test } from 'vitest';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { slowness } from './support/slowness.ts';
import { waitUntil } from './support/waitUntil.ts';
import { watchHealth } from './support/watchHealth.ts';

/** What others may notice of one caller's request. */
const LONGEST_SILENCE_MS = 250;
const MOST_MEMORY_MIB = 512;
/** A machine that is busy with other things is silent now and then: what the API does itself comes every time. */
const TRIES = 4;
const postgres = await postgresForTests();
const db = openDatabase(postgres.url);
afterAll(() => db.$disconnect());
const { token: READ } = await issueToken({ db }, { name: 'reader', role: 'READ' });
const { token: WRITE } = await issueToken({ db }, { name: 'writer', role: 'WRITE' });
const started = apiProcessesForTests()({ DATABASE_URL: postgres.url, WARREN_PORT: '0', WARREN_REQUIRE_TOKEN: '1' });
const url = await waitUntil('the API listens', () => started.url, 60_000);
const api = { url, pid: started.child.pid! };

interface Answer {
  data: ReturnType<typeof JSON.parse>;
  errors: { message: string; extensions: { code: string } }[];
  bytes: number;
}

async function send(token: string, query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data = null, errors = [] } = JSON.parse(text);
  return { data, errors, bytes: text.length };
}

async function write(query: string, variables: Record<string, unknown> = {}): Promise<Answer['data']> {
  const { data, errors } = await send(WRITE, query, variables);
  expect(errors).toEqual([]);
  return data;
}

async function createRun(input: Record<string, unknown> = {}): Promise<string> {
  return (await write('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', { input })).createRun
    .id;
}

async function upload(runId: string, name: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { authorization: `Bearer ${WRITE}` };
  expect((await fetch(`${url}/artifacts/${runId}/${name}`, { method: 'PUT', headers, body })).status).toBe(201);
}

/** The API goes on answering others, and stays small, while `attack` goes on; returns what the last try gave. */
async function starvesNobody<Result>(attack: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    let result: Result | undefined;
    const watched = await watchHealth(api, async () => {
      result = await attack();
    });
    expect(watched.peakMiB).toBeLessThan(MOST_MEMORY_MIB);
    const allowedMs = LONGEST_SILENCE_MS * slowness();
    if (watched.silenceMs > allowedMs && tried < TRIES) continue;
    expect(watched.silenceMs).toBeLessThan(allowedMs);
    return result!;
  }
}

/** Two finished runs of two configurations with these files of users. */
async function rankedRuns(ranks: Uint8Array<ArrayBuffer>, description: string): Promise<string[]> {
  const ids: string[] = [];
  for (const lr of [1, 2]) {
    const id = await createRun({ parameters: { lr, users: description.length }, datasetName: 'd' });
    const series = [{ name: 'test/hr@10', steps: [0], values: [0.5] }];
    await write('mutation ($id: ID!, $s: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $s) }', {
      id,
      s: series,
    });
    await upload(id, 'per-user-ranks.npy', ranks);
    await upload(id, 'per-user-ranks.json', description);
    await write('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id });
    ids.push(id);
  }
  return ids;
}

const PER_USER = `query ($ids: [ID!]!) { compareRuns(ids: $ids) {
  pairedTests(metrics: ["test/hr@10"], perUser: true) { tests { n reason } } } }`;

test('files of users that are no such files are read by nobody', async () => {
  const table = Buffer.from(encodeNpy(new Int32Array(10), [10, 1]));
  const large = await rankedRuns(table, `[${'0,'.repeat(10 * 1024 ** 2)}0]`);
  const small = await rankedRuns(table, `[${'0,'.repeat(5 * 1024 ** 2)}0]`);
  const nested = await rankedRuns(table, `${'['.repeat(5 * 1024 ** 2)}${']'.repeat(5 * 1024 ** 2)}`);
  const answers = await starvesNobody(() =>
    Promise.all([large, small, nested].map((ids) => send(READ, PER_USER, { ids }))),
  );
  const reasons = answers.map(({ data }) => data.compareRuns.pairedTests[0].tests[0].reason);
  expect(reasons).toEqual([
    expect.stringMatching(/per-user-ranks.json: it has 20971523 bytes; at most 12582912 are read/),
    expect.stringMatching(/per-user-ranks.json: it lists 5242881 values; at most 250000 users/),
    expect.stringMatching(/per-user-ranks.json: it is nested too deep/),
  ]);
});

test('tests over as many users as the largest dataset has', async () => {
  const count = 162_000;
  const ranks = Int32Array.from({ length: count }, (_, user) => (user * 7919) % 40);
  const users = Array.from({ length: count }, (_, user) => `A${String(user).padStart(13, '0')}`);
  const description = { dataset: 'd', fingerprint: 'f', part: 'test', cutoffs: [10], users };
  const ids = await rankedRuns(Buffer.from(encodeNpy(ranks, [count, 1])), JSON.stringify(description));
  const other = await createRun();
  await write('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: other });
  const { data } = await starvesNobody(() => send(READ, PER_USER, { ids }));
  expect(data.compareRuns.pairedTests[0].tests[0].reason).toMatch(/every user has the same difference/);
});

const LOG_LINES = 'mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }';
const LOG_METRICS = 'mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }';

test('logs of very long lines, under many names', async () => {
  const id = await createRun();
  const lines = Array.from({ length: 75 }, (_, index) => ({ text: `${index}`.padEnd(100_000, 'x') }));
  await write(LOG_LINES, { id, lines });
  const logs = (name: string) => `${name}: logs(runId: $id, first: 5000) { lines { text } hasMore }`;
  const names = Array.from({ length: 40 }, (_, index) => logs(`l${index}`));
  const query = (fields: string[]) => `query ($id: ID!) { ${fields.join(' ')} }`;
  const [one, many] = await starvesNobody(() =>
    Promise.all([send(READ, query([logs('page')]), { id }), send(READ, query(names), { id })]),
  );
  expect(one!.data.page).toMatchObject({ hasMore: true });
  expect(one!.bytes).toBeLessThan(1.1 * 1024 ** 2);
  expect(many!.errors[0]?.extensions.code).toBe('TOO_LARGE');
  expect(many!.bytes).toBeLessThan(1024 ** 2);
});

test('lists of runs with long notes and parameters, many at a time', async () => {
  const notes = 'n'.repeat(100_000);
  for (let index = 0; index < 12; index++) {
    const id = await createRun({ project: 'long', parameters: { index, text: 'p'.repeat(100_000) } });
    await write('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', { input: { id, notes } });
  }
  const runs = (fields: string) =>
    `{ ${Array.from({ length: 24 }, (_, i) => `r${i}: runs(project: "long", first: 500) { edges { node { ${fields} } } }`).join(' ')} }`;
  const page = '{ runs(project: "long") { edges { node { number name state } } } }';
  const answers = await starvesNobody(() =>
    Promise.all([
      ...Array.from({ length: 10 }, () => send(READ, page)),
      ...Array.from({ length: 4 }, () => send(READ, runs('notes'))),
      ...Array.from({ length: 4 }, () => send(READ, runs('configuration { parameters }'))),
    ]),
  );
  for (const { data } of answers.slice(0, 10)) expect(data.runs.edges).toHaveLength(12);
  for (const { bytes } of answers) expect(bytes).toBeLessThan(10 * 1024 ** 2);
});

test('very many series, read, charted and compared', async () => {
  const ids: string[] = [];
  for (let run = 0; run < 3; run++) {
    const id = await createRun({ parameters: { run } });
    const series = Array.from({ length: 600 }, (_, index) => ({
      ...{ name: `${'layer/'.repeat(20)}${index}`, steps: [0, 1, 2], values: [index, 1, 2] },
    }));
    await write(LOG_METRICS, { id, series });
    ids.push(id);
  }
  const unknown = Array.from(
    { length: 20 },
    (_, i) => `t${i}: pairedTests(metrics: ["${'leyar/'.repeat(20)}${i}"]) { name }`,
  );
  const answers = await starvesNobody(async () => [
    await send(READ, 'query ($ids: [ID!]!) { metricHistory(runIds: $ids, maxPoints: 500) { steps values times } }', {
      ids: ids.slice(0, 2),
    }),
    await send(
      READ,
      'query ($ids: [ID!]!) { compareRuns(ids: $ids) { metrics { name final best } groups { metrics { name mean } } } }',
      { ids },
    ),
    await send(READ, `query ($ids: [ID!]!) { compareRuns(ids: $ids) { ${unknown.join(' ')} } }`, { ids }),
    await send(READ, '{ runs { edges { node { metrics { name lastValue } } } } }'),
  ]);
  expect(answers[0]!.data.metricHistory).toHaveLength(1_200);
  expect(answers[1]!.data.compareRuns.metrics).toHaveLength(600);
  expect(answers[2]!.errors[0]?.message).toMatch(/no compared run has/);
});

test('a chart of as many points as there may be', async () => {
  const id = await createRun();
  const steps = Array.from({ length: 20_000 }, (_, step) => step);
  for (let index = 0; index < 6; index++) {
    await write(LOG_METRICS, {
      id,
      series: [{ name: `m${index}`, steps, values: steps.map((step) => Math.sin(step)) }],
    });
  }
  const query = `query ($ids: [ID!]!) { metricHistory(runIds: $ids, maxPoints: 20000) { steps values times minimum maximum } }`;
  const { data } = await starvesNobody(() => send(READ, query, { ids: [id] }));
  const points = data.metricHistory.map((one: { steps: number[] }) => one.steps.length);
  expect(points.reduce((sum: number, count: number) => sum + count, 0)).toBeLessThanOrEqual(100_000);
});

test('the largest requests that log', async () => {
  const id = await createRun();
  const steps = Array.from({ length: 90_000 }, (_, step) => 1_000_000_000 + step);
  const series = [{ name: 'large', steps, values: steps.map((step) => step + 0.5) }];
  const lines = Array.from({ length: 10_000 }, (_, index) => ({ text: `${index}`.padEnd(700, 'x') }));
  await starvesNobody(async () => {
    await send(WRITE, LOG_METRICS, { id, series });
    await send(WRITE, LOG_LINES, { id, lines });
  });
});

test('inputs with very many mistakes', async () => {
  const wrong = Array.from({ length: 60_000 }, () => 'x');
  const members = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`wrong${index}`, index]));
  const enqueue =
    'mutation ($seeds: [Int!]!, $parameters: JSON) { enqueueRuns(input: { kind: "sasrec", dataset: "generated/markov-small", seeds: $seeds, parameters: $parameters }) { id } }';
  const answers = await starvesNobody(async () => [
    await send(WRITE, enqueue, { seeds: wrong }),
    await send(WRITE, enqueue, { seeds: [1], parameters: members }),
    await send(WRITE, enqueue, { seeds: [1], parameters: { cutoffs: wrong.slice(0, 10_000) } }),
    await send(READ, 'query ($ids: [ID!]!) { metricHistory(runIds: $ids) { name } }', { ids: wrong }),
    await send(WRITE, 'mutation ($ids: [ID!]!) { cancelRuns(ids: $ids) { message } }', { ids: wrong }),
  ]);
  for (const { errors, bytes } of answers) {
    expect(errors[0]?.extensions.code).toBe('BAD_INPUT');
    expect(bytes).toBeLessThan(20_000);
  }
});
