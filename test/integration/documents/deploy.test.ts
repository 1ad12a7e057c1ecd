import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '#src/platform/processes/freePort.ts';
import { clientOf } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { nginxForTests, startNginx } from '../support/nginxForTests.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { runShell, startShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const document = documentForTests('deploy.md');
const postgres = await postgresForTests();
const folder = temporaryFolder();
const nginx = nginxForTests();
const port = await freePort(0);
const proxyPort = await freePort(0);
const direct = `http://127.0.0.1:${port}`;
const secure = `https://localhost:${proxyPort}`;
/** Where clients go: through the proxy where there is one. */
const address = nginx === null ? direct : secure;
const trust: Record<string, string> = nginx === null ? {} : { NODE_EXTRA_CA_CERTS: nginx.certificate };
const database = { 'postgres://warren:…@db.example/warren': await postgres.freshDatabase({ empty: true }) };
let tokens: { admin: string; laptop: string };

const prepare = document.take('prepare', database);
const api = document.take('api', {
  ...database,
  '/var/lib/warren': join(folder, 'home'),
  'https://warren.example': secure,
  '4680': String(port),
});
const worker = document.take('worker', {
  ...database,
  '/var/lib/warren-worker': join(folder, 'worker'),
  'https://warren.example': address,
});
const client = document.take('client', { 'https://warren.example': address, 'warren_…': '$TOKEN' });
const watch = document.take('watch', { 'https://warren.example': address });
const proxy = document.take('proxy', {
  'listen 443': `listen 127.0.0.1:${proxyPort}`,
  'warren.example;': 'localhost;',
  '127.0.0.1:4680': `127.0.0.1:${port}`,
  '/etc/ssl/warren/certificate.pem': nginx?.certificate ?? '',
  '/etc/ssl/warren/key.pem': nginx?.key ?? '',
});

it('makes the tables and tokens', async () => {
  const [admin = '', laptop = ''] = (await runShell(prepare, {})).match(/warren_[\w-]+/g) ?? [];
  tokens = { admin, laptop };
  expect(laptop).not.toBe('');
});

it('serves the API, which asks for a token on loopback too', async () => {
  const serving = startShell(api, {});
  await waitUntil('the API', () => serving.stdout().includes(direct), 60_000);
  const query = '{ workers { name } }';
  const { graphql } = clientOf(direct);
  expect((await graphql(query)).status).toBe(401);
  expect((await graphql(query, {}, { authorization: `Bearer ${tokens.laptop}` })).status).toBe(200);
});

it.skipIf(nginx === null)(
  'speaks TLS through nginx: pages, live updates, and uploads past its usual size',
  async () => {
    await startNginx(nginx!, proxy);
    await waitUntil('nginx', () => answer('GET', '/health').catch(() => null));
    expect((await answer('GET', '/health')).status).toBe(200);
    expect((await graphqlThroughProxy('{ workers { name } }', 'unknown')).status).toBe(401);

    const made = await graphqlThroughProxy(
      'mutation { createRun(input: { project: "deploy", name: "uploads" }) { id } }',
      tokens.laptop,
    );
    const { id } = JSON.parse(made.body).data.createRun;
    const heard = nextLog(id);
    // nginx takes 1 MiB where nothing else is said.
    const stored = await answer('PUT', `/artifacts/${id}/large.bin`, {
      token: tokens.laptop,
      body: randomBytes(3 << 20),
    });
    expect(stored.status).toBe(201);
    const lines = 'mutation ($id: ID!) { logLines(runId: $id, from: 0, lines: [{ text: "through TLS" }]) }';
    await graphqlThroughProxy(lines, tokens.laptop, { id });
    expect(await heard).toBeTruthy();
  },
);

it('is reached by the command line and by a worker, which stores its artifacts', async () => {
  const variables = { ...trust, TOKEN: tokens.laptop };
  const working = startShell(worker, trust);
  const run = ['run', 'item-knn', '--dataset', 'generated/markov-small', '--wait', '--json'];
  const queue = client.replace('-- ls', `-- ${run.join(' ')}`);
  expect(JSON.parse(await runShell(queue, variables)), working.stderr()).toMatchObject({ state: 'SUCCEEDED' });
  expect(await runShell(client, variables)).toContain('item-knn');
  const watched = await runShell(watch, {
    ...variables,
    ...(nginx === null ? {} : { CURL_CA_BUNDLE: nginx.certificate }),
    WARREN_API_URL: address,
    WARREN_TOKEN: tokens.laptop,
  });
  expect(watched).toMatch(/^Server\n {2}Warren .+this token may WRITE\nWorkers\n/);
  expect(watched).toContain('warren_worker_slots 1\n');
});

interface Answer {
  status: number;
  body: string;
}

/** A request to the proxy, whose certificate is checked. */
function answer(
  method: string,
  path: string,
  { token, body, type }: { token?: string; body?: Buffer | string; type?: string } = {},
): Promise<Answer> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${secure}${path}`, { method, headers, ca: readFileSync(nginx!.certificate) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function graphqlThroughProxy(query: string, token: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  return answer('POST', '/graphql', { token, body: JSON.stringify({ query, variables }), type: 'application/json' });
}

/** The first log lines that a subscription through the proxy hears, as a browser's page at the proxy's address would. */
async function nextLog(runId: string): Promise<unknown> {
  const socket = createClient({
    url: `${secure.replace('https', 'wss')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { ca: readFileSync(nginx!.certificate), origin: secure });
      }
    },
    connectionParams: { token: tokens.laptop },
    retryAttempts: 0,
  });
  const query = 'subscription ($runId: ID!) { logAppended(runId: $runId) { __typename } }';
  for await (const result of socket.iterate({ query, variables: { runId } })) {
    await socket.dispose();
    return result.data;
  }
  return null;
}
