import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { readEnvironment } from '#src/base/platform/environment.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
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
const openPort = await freePort(0);
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
const asPackage = document.take('package', {
  '/opt/warren': join(folder, 'package'),
  'npm install': 'node test/integration/support/installPackage.mjs',
});
const watch = document.take('watch', { 'https://warren.example': address });
const bucket = document.take('bucket', {});
const signIn = document.take('sign-in', {});
const people = document.take('people', { ...database, 'https://warren.example': address, 'warren_…': '$ADMIN' });
const projects = document.take('projects', {});
const proxy = document.take('proxy', {
  'listen 80;': `listen 127.0.0.1:${openPort};`,
  'listen 443': `listen 127.0.0.1:${proxyPort}`,
  'warren.example;': 'localhost;',
  '127.0.0.1:4680': `127.0.0.1:${port}`,
  '/etc/ssl/warren/certificate.pem': nginx?.certificate ?? '',
  '/etc/ssl/warren/key.pem': nginx?.key ?? '',
});

it('comes as a package that computes with the packages it names, and has no sources to build', async () => {
  expect(await runShell(asPackage, {})).toContain('sasrec');
  await rm(join(projectRoot(), 'warren-0.1.0.tgz'));
  const bin = join(folder, 'package', 'node_modules');
  expect(readdirSync(join(bin, 'warren')).sort()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-LICENSES',
      'bin',
      'dist',
      'docs',
      'package.json',
      'prisma',
    ].sort(),
  );
  expect(existsSync(join(bin, 'vite'))).toBe(false);
  const run = await runShell(
    `${join(bin, '.bin', 'warren')} run item-knn --dataset generated/markov-small --local --json`,
    { WARREN_HOME: join(folder, 'package-home') },
  );
  expect(JSON.parse(run).metrics['test/ndcg@10']).toBeGreaterThan(0);
});

it('has the license texts of all packages that are in its programs and in its dashboard', () => {
  const package_ = join(folder, 'package', 'node_modules', 'warren');
  const programs = readdirSync(join(package_, 'dist')).filter((name) => name.endsWith('.js'));
  // the bundler writes above each file where it comes from
  const inside = programs.flatMap((name) => [
    ...readFileSync(join(package_, 'dist', name), 'utf8').matchAll(
      /^\/\/ node_modules\/(?:.*\/node_modules\/)?(@[^/]+\/[^/]+|[^/]+)\//gm,
    ),
  ]);
  const bundled = new Set(inside.map(([, name]) => name));
  expect(bundled.size).toBeGreaterThan(100);
  const drawing = ['react', 'react-dom', 'echarts', 'zrender', 'vega', 'plotly.js-cartesian-dist-min', 'd3-scale'];
  const text = readFileSync(join(package_, 'THIRD-PARTY-LICENSES'), 'utf8');
  const parts = new Map(text.split(/\n-{80}\n\n/).map((part) => [part.split(' ', 1)[0], part]));
  const words = /Permission is hereby granted|Permission to use, copy|Redistribution and use|Apache License|Blue Oak/;
  const without = [...bundled, ...drawing].filter((name) => !words.test(parts.get(name ?? '') ?? ''));
  expect(without).toEqual([]);
  expect(text).toContain('This product includes software developed at\nThe Apache Software Foundation');
});

it('has a compose file that sets variables as Warren reads them', () => {
  const services = z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()) }));
  const text = readFileSync(join(projectRoot(), 'docs', 'deploy', 'compose.yaml'), 'utf8');
  const { api, worker } = z.object({ services }).parse(parse(text, { merge: true })).services;
  const filled = (variables: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value.replace(/\$\{.*?\}/g, 'http://a')]),
    );
  const forApi = { ...api!.environment, DATABASE_URL: 'postgres://warren:word@database/warren' };
  expect(Object.keys(api!.environment)).toContain('DATABASE_URL');
  expect(readEnvironment(filled(forApi))).toMatchObject({ origins: ['http://a'] });
  expect(readEnvironment({ ...filled(worker!.environment), ...forApi })).toMatchObject({ apiUrl: 'http://api:4680' });
});

it('keeps artifacts in a bucket, as its variables say', async () => {
  const printed = await runShell(`${bucket}\nnode -e 'console.log(JSON.stringify(process.env))'`, {});
  const variables = z.record(z.string(), z.string()).parse(JSON.parse(printed));
  const [endpoint, region] = ['https://s3.example', 'eu-west-1'];
  expect(readEnvironment(variables).artifacts).toEqual({
    bucket: 'lab-artifacts',
    prefix: 'warren/',
    endpoint,
    region,
  });
});

it('lets people sign in, as its variables say', async () => {
  const printed = await runShell(`${signIn}\nnode -e 'console.log(JSON.stringify(process.env))'`, {});
  const variables = z.record(z.string(), z.string()).parse(JSON.parse(printed));
  expect(readEnvironment(variables).signIn).toMatchObject({
    ...{ publicOrigin: 'https://warren.example', domains: ['lab.example'], defaultRole: null },
    roles: { 'warren-admins': 'ADMIN', lab: { papers: 'WRITE' } },
  });
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
    const open = await fetch(`http://127.0.0.1:${openPort}/runs?x=1`, { redirect: 'manual' });
    expect([open.status, open.headers.get('location')]).toEqual([301, 'https://warren.example/runs?x=1']);
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
  expect(await runShell(people, { ...trust, ADMIN: tokens.admin })).toMatch(
    /warren_[\w-]+\n.*TIME.*\n.*enqueueRuns.*\/shared#warren_share_.*For a colleague/s,
  );
  expect(await runShell(projects, { ...variables, WARREN_API_URL: address, WARREN_TOKEN: tokens.laptop })).toMatch(
    /^articles is back, with 0 runs\nproject .*\narticles +0 .*For the camera-ready version$/m,
  );
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
