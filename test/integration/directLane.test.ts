import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { apiForTests, jsonOf } from './support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from './support/externalRunCalls.ts';

const api = await apiForTests();

function bodyOf(runId: string, step: number, name = 'loss'): string {
  return JSON.stringify({ query: LOG_METRICS, variables: { runId, series: [{ name, steps: [step], values: [0.5] }] } });
}

/** Sends a call; with an origin, as pages do, it takes the way of every other request. */
function send(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return api.fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

async function measuredCalls(): Promise<number> {
  const text = await (await api.fetch('/metrics')).text();
  const of = /^warren_http_request_duration_seconds_count\{method="POST",route="graphql",status="2xx"\} (\d+)$/m;
  return Number(of.exec(text)?.[1] ?? 0);
}

test('a call of logMetrics is answered with the headers of every other request, and measured', async () => {
  const runId = await createExternalRun(api);
  expect(await jsonOf(await send(bodyOf(runId, 0)))).toEqual({ data: { logMetrics: 1 } });
  const before = await measuredCalls();
  const direct = await send(bodyOf(runId, 1), { 'x-request-id': 'mine-1' });
  const other = await send(bodyOf(runId, 2), { 'x-request-id': 'mine-1', origin: api.url });
  const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'date');
  expect(headersOf(direct)).toEqual(headersOf(other));
  expect(await direct.text()).toBe(await other.text());
  expect(await measuredCalls()).toBe(before + 2);
  expect((await send(bodyOf(runId, 3), { 'x-request-id': 'not proper' })).headers.get('x-request-id')).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});

test('the same point again is not new, and a metric that is new comes through GraphQL', async () => {
  const runId = await createExternalRun(api);
  for (const [name, step, inserted] of [
    ['a', 0, 1],
    ['a', 0, 0],
    ['b', 0, 1],
    ['b', 1, 1],
  ] as const) {
    expect(await jsonOf(await send(bodyOf(runId, step, name)))).toEqual({ data: { logMetrics: inserted } });
  }
});

test('bodies that are wrong, or ask for something else, have the answers that they always had', async () => {
  const runId = await createExternalRun(api);
  const bodies = [
    '{"query": "logMetrics',
    '"logMetrics"',
    JSON.stringify({ query: 'mutation { logMetrics }' }),
    bodyOf('no-run', 0),
    bodyOf('0198a000-0000-7000-8000-000000000000', 0),
    bodyOf(runId, -1),
    JSON.stringify({ query: '{ runs { totalCount } }' }),
    JSON.stringify({ query: '{ logMetrics: runs { totalCount } }' }),
  ];
  for (const body of bodies) {
    const [plain, other] = [await send(body), await send(body, { origin: api.url })];
    expect([plain.status, await plain.text()]).toEqual([other.status, await other.text()]);
  }
});

test('a body may come behind its headers, and in pieces', async () => {
  const runId = await createExternalRun(api);
  await send(bodyOf(runId, 0));
  for (const [step, pieces] of [
    [1, 1],
    [2, 3],
  ] as const) {
    const body = bodyOf(runId, step);
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(`${api.url}/graphql`, { method: 'POST', headers });
    sent.flushHeaders();
    const answered = once(sent, 'response');
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length; at += size) {
      // an answer of the server to another request: what was sent before has arrived
      await api.fetch('/health');
      sent.write(body.slice(at, at + size));
    }
    sent.end();
    const [response] = await answered;
    let text = '';
    for await (const part of response) text += part;
    expect(JSON.parse(text)).toEqual({ data: { logMetrics: 1 } });
  }
});

test('tokens and names of the server are checked before a point is written', async () => {
  const runId = await createExternalRun(api);
  const guarded = await apiForTests({ postgres: api.postgres, requireToken: true });
  const db = openDatabase(api.postgres.url);
  const [reader, writer] = await Promise.all(
    (['READ', 'WRITE'] as const).map((role) => issueToken({ db }, { name: role, role })),
  );
  await db.$disconnect();
  const codeOf = async (step: number, token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const answer = await jsonOf(await guarded.fetch('/graphql', { ...init, body: bodyOf(runId, step) }));
    return answer.errors?.[0]?.extensions.code ?? answer.data;
  };
  expect(await codeOf(0, writer?.token)).toEqual({ logMetrics: 1 });
  expect(await codeOf(1)).toBe('UNAUTHENTICATED');
  expect(await codeOf(1, 'unknown')).toBe('UNAUTHENTICATED');
  expect(await codeOf(1, reader?.token)).toBe('FORBIDDEN');
  expect(await codeOf(1, writer?.token)).toEqual({ logMetrics: 1 });

  const foreign = request(`${api.url}/graphql`, {
    ...{ method: 'POST', setHost: false },
    headers: { host: 'evil.example', 'content-type': 'application/json' },
  });
  foreign.end(bodyOf(runId, 2));
  const [refused] = await once(foreign, 'response');
  expect(refused.statusCode).toBe(403);
});
