import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { apiForTests, jsonOf } from './support/apiForTests.ts';

const api = await apiForTests({ origins: ['https://tracking.example.org'] });
const { ok, graphql } = api;

/** A request with headers that `fetch` does not let one set. */
function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: api.server.port, path, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('a connection without a request stays open longer than the 60 seconds for which nginx keeps it', async () => {
  const response = await api.fetch('/health');
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

describe('what one operation may ask for', () => {
  test.each([
    ['a field that does not exist', '{ runs { nonsense } }', 'nonsense'],
    ['a document that is none', '{ runs', 'Syntax Error'],
    ['an argument of the wrong type', '{ runs(first: "x") { totalCount } }', 'Int cannot represent'],
    ['a page that is too large', '{ runs(first: 501) { totalCount } }', 'expected 0 to 500'],
    ['a negative page', '{ runs(first: -1) { totalCount } }', 'received -1'],
    ['too many points', '{ metricHistory(runIds: [], maxPoints: 1000000) { name } }', '20000'],
    [
      'too deep a document',
      `{ runs { edges { node { configuration { runs { edges { node { configuration { runs { edges { node { configuration {
        runs { totalCount } } } } } } } } } } } } } }`,
      'fields deep',
    ],
    [
      'too costly a document',
      `{ runs(first: 500) { edges { node { configuration { runs(first: 500) { edges { node { id } } } } } } } }`,
      'costs',
    ],
    ['all studies many times', '{ a: studies { name } b: studies { name } c: studies { name } }', 'costs'],
    [
      'too many aliases',
      `{ ${Array.from({ length: LIMITS.aliases + 1 }, (_, i) => `a${i}: server { role }`).join(' ')} }`,
      'aliased',
    ],
    ['too many tokens', `{ ${'server { role } '.repeat(LIMITS.tokens)} }`, 'tokens'],
    ['a cursor of another order', '{ runs(after: "bm9uc2Vuc2U") { totalCount } }', 'cursor'],
    ['two operations without a name', 'query A { server { role } } query B { server { role } }', 'operation'],
  ])('%s is refused', async (_what, query, message) => {
    const { status, data, errors } = await graphql(query);
    expect(data ?? null).toBeNull();
    expect(errors[0]?.extensions.code).toBe('BAD_INPUT');
    expect(errors.map((error) => error.message).join()).toContain(message);
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(errors)).not.toMatch(/node_modules|stacktrace/);
  });

  test('the standard introspection query is allowed', async () => {
    const { __schema } = await ok(getIntrospectionQuery());
    expect(__schema.queryType.name).toBe('Query');
  });

  test('a batch of operations in one request is refused', async () => {
    const response = await api.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: '{ server { role } }' }]),
    });
    expect(response.status).toBe(400);
    expect((await jsonOf(response)).errors[0].extensions.code).toBe('BAD_INPUT');
  });

  test.each([
    ['application/json', '{"query": ', 400],
    ['application/json', '7', 400],
    ['text/plain', '{"query":"{ server { role } }"}', 400],
    ['application/x-www-form-urlencoded', 'query={server{role}}', 400],
  ])('a body of type %s: %s', async (type, body, status) => {
    const response = await api.fetch('/graphql', { method: 'POST', headers: { 'content-type': type }, body });
    expect(response.status).toBe(status);
    expect((await jsonOf(response)).errors[0].extensions.code).toBe('BAD_INPUT');
  });

  test('a mutation cannot be sent as GET, nor any query without a header that pages of others cannot set', async () => {
    const mutation = encodeURIComponent('mutation { createProject(name: "x") { id } }');
    const query = encodeURIComponent('{ server { role } }');
    const allowed = { 'apollo-require-preflight': '1' };
    expect((await api.fetch(`/graphql?query=${mutation}`, { headers: allowed })).status).toBe(405);
    expect((await api.fetch(`/graphql?query=${query}`)).status).toBe(400);
    expect((await api.fetch(`/graphql?query=${query}`, { headers: allowed })).status).toBe(200);
  });
});

describe('mistakes of callers', () => {
  const position = (text: string) => Buffer.from(text).toString('base64url');
  const runsAfter = (n: number) => position(JSON.stringify({ o: 'number DESC', n, k: [] }));

  test.each([
    ['a cursor of runs beyond 32 bits', `{ runs(after: "${runsAfter(2 ** 31)}") { totalCount } }`, 'after'],
    [
      'a cursor with what no name has',
      `{ runs(orderBy: { by: "name" }, after: "${position(JSON.stringify({ o: 'name DESC', n: 1, k: ['\0'] }))}") { totalCount } }`,
      'after',
    ],
    [
      'a cursor of a log beyond 32 bits',
      `{ logs(runId: "1", after: "${position('1:2147483648')}") { hasMore } }`,
      'after',
    ],
    ['a filter that goes back too far', '{ runs(filter: "created > -999999w") { totalCount } }', 'filter'],
    ['a wrong variable', 'query ($first: Int) { runs(first: $first) { totalCount } }', undefined],
  ])('%s is called one', async (_what, query, path) => {
    await ok('mutation { createRun(input: {}) { id } }');
    const { status, errors } = await graphql(query, { first: 'x' });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
    expect(errors[0]?.extensions.path).toBe(path);
    expect(status).toBe(path === undefined ? 400 : 200);
  });

  test('a body that cannot be unpacked is called one', async () => {
    for (const encoding of ['gzip', 'br', 'deflate']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const response = await api.fetch('/graphql', { method: 'POST', headers, body: 'damaged'.repeat(10) });
      expect([encoding, response.status]).toEqual([encoding, 400]);
      expect((await jsonOf(response)).errors[0].extensions.code).toBe('BAD_INPUT');
    }
  });

  test('a large input is not sent back', async () => {
    const long = 'x'.repeat(900_000);
    for (const [query, variables] of [
      ['mutation ($p: JSON) { createRun(input: { parameters: $p }) { id } }', { p: long }],
      ['mutation ($p: JSON) { createRun(input: { parameters: $p }) { id } }', { p: { long } }],
      ['mutation ($p: JSON) { enqueueRuns(input: { kind: "popularity", parameters: $p }) { id } }', { p: { long } }],
      ['query ($p: Int) { runs(first: $p) { totalCount } }', { p: long }],
      ['query ($p: String) { runs(filter: $p) { totalCount } }', { p: `seed = "${long}"` }],
      ['query ($p: String) { runs(after: $p) { totalCount } }', { p: long }],
      ['query ($p: ID!) { run(id: $p) { id } logs(runId: $p) { hasMore } }', { p: long }],
      ['mutation ($p: ID!) { cancelRuns(ids: [$p]) { message } }', { p: long }],
    ] as const) {
      const { errors, data } = await graphql(query, variables);
      expect(JSON.stringify([errors, data]).length, query).toBeLessThan(5_000);
    }
  });

  test('runs that wait for very many inputs are refused', async () => {
    const inputs = Array.from({ length: 500 }, (_, index) => ({ name: `i${index}`, runId: '1', artifactName: 'a' }));
    const query = 'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id } }';
    const seeds = Array.from({ length: 200 }, (_, seed) => seed);
    const input = { kind: 'popularity', dataset: 'generated/markov-small', seeds, inputs };
    expect((await graphql(query, { input })).errors[0]?.extensions).toEqual({ code: 'BAD_INPUT', path: 'inputs' });
    const fewer = await graphql(query, { input: { ...input, inputs: inputs.slice(0, 40) } });
    expect(fewer.errors[0]?.extensions).toEqual({ code: 'BAD_INPUT', path: 'seeds' });
  });
});

describe('how large a request may be', () => {
  const LOG = 'mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }';

  test('one megabyte, and eight for logging', async () => {
    const { createRun } = await ok('mutation { createRun(input: {}) { id } }');
    const steps = Array.from({ length: 90_000 }, (_, step) => 1_000_000_000 + step);
    const series = [{ name: 'large', steps, values: steps.map((step) => step + 0.5) }];
    expect(JSON.stringify(series).length).toBeGreaterThan(LIMITS.bodyBytes);
    expect((await ok(LOG, { id: createRun.id, series })).logMetrics).toBe(90_000);

    const notes = 'x'.repeat(LIMITS.bodyBytes);
    const update = await graphql('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
      input: { id: createRun.id, notes },
    });
    expect(update.status).toBe(413);
    expect(update.errors[0]?.extensions.code).toBe('TOO_LARGE');

    const mixed = await graphql(`${LOG.slice(0, -1)} updateRun(input: { id: $id }) { id } }`, {
      id: createRun.id,
      series,
    });
    expect(mixed.errors[0]?.extensions.code).toBe('TOO_LARGE');

    const huge = await graphql(LOG, {
      id: createRun.id,
      series: [{ name: 'x'.repeat(LIMITS.logBodyBytes), steps: [], values: [] }],
    });
    expect(huge.status).toBe(413);
    expect(huge.errors[0]?.extensions.code).toBe('TOO_LARGE');
  });
});

describe('who may talk to a server on loopback', () => {
  test('a foreign name in the Host header is refused', async () => {
    expect((await raw('/health', { host: `evil.example.org:${api.server.port}` })).status).toBe(403);
    expect((await raw('/health', { host: `localhost:${api.server.port}` })).status).toBe(200);
  });

  test('a page of another origin may change nothing, a named one may', async () => {
    const post = (origin: string) => graphql('{ server { role } }', {}, { origin });
    expect((await post('https://evil.example.org')).errors[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await post('null')).status).toBe(403);
    expect((await post('https://tracking.example.org')).data.server.role).toBe('none');
    expect((await post(api.url)).data.server.role).toBe('none');
    const preflight = await api.fetch('/graphql', {
      method: 'OPTIONS',
      headers: { origin: 'https://tracking.example.org', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://tracking.example.org');
  });
});

describe('what is served beside the API', () => {
  test('/health says whether database and queue work', async () => {
    const response = await api.fetch('/health');
    expect(response.status).toBe(200);
    expect(await jsonOf(response)).toEqual({ status: 'ok', database: 'ok', queue: 'ok' });
  });

  test('every page of the dashboard is its one page; its files are kept for good', async () => {
    for (const path of ['/', '/runs/12', '/compare?runs=1,2', '/datasets/ucr/GunPoint', '/new', '/workers']) {
      const page = await api.fetch(path);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('<title>Warren</title>');
      expect(page.headers.get('cache-control')).toBe('no-cache');
    }
    const asset = await api.fetch('/assets/main-abc123.js');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await api.fetch('/assets/gone.js')).status).toBe(404);
    expect((await api.fetch('/nothing', { method: 'POST' })).status).toBe(404);
  });

  test.each(['/api', '/api/runs', '/v1', '/index.php', '/run/12'])('nothing is at %s', async (path) => {
    const asProgram = await api.fetch(path);
    expect(asProgram.status).toBe(404);
    expect((await jsonOf(asProgram)).errors[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
    const asBrowser = await api.fetch(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(asBrowser.status).toBe(404);
    expect(await asBrowser.text(), 'the page, which says so and leads home').toContain('<title>Warren</title>');
  });

  test('the schema is at /schema.graphql', async () => {
    const response = await api.fetch('/schema.graphql');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(readFileSync(join(projectRoot(), 'src/graphql/schema.graphql'), 'utf8'));
  });

  test('nothing outside the dashboard’s folder is served', async () => {
    for (const path of [
      '/../../package.json',
      '/assets/..%2f..%2fartifacts',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/%00',
    ]) {
      const { status, body } = await raw(path, { host: 'localhost' });
      expect(status === 200 ? body : '<title>Warren</title>').toContain('<title>Warren</title>');
      expect(status).toBeLessThan(500);
    }
  });

  test('headers keep pages from being framed, sniffed or filled with scripts', async () => {
    const { headers } = await api.fetch('/');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});
