import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { clientOf } from './support/apiForTests.ts';
import { type ApiProcess, apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { nginxForTests, startNginx } from './support/nginxForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const files = nginxForTests();
const startProcess = apiProcessesForTests();

const WRITERS = 6;
const LOG = 'mutation ($id: ID!, $s: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $s) }';

describe.skipIf(files === null)('two APIs behind nginx', async () => {
  const postgres = await postgresForTests();
  const start = (port: number): ApiProcess =>
    startProcess({
      ...{ DATABASE_URL: postgres.url, WARREN_PORT: String(port), WARREN_DRAIN_SECONDS: '1' },
      // a busy machine is no failure of the restart
      ...{ WARREN_STATEMENT_SECONDS: '90', WARREN_SILENCE_SECONDS: '120' },
    });
  const listens = (api: ApiProcess) => waitUntil(`an API listens ${api.stderr}`, () => api.url, 60_000);

  test('restarted one after the other while programs log: no request fails, no point is lost, pages go on', async () => {
    const ports = [await freePort(0), await freePort(0)];
    const front = await freePort(0);
    const apis = ports.map(start);
    onTestFinished(() => {
      for (const { child } of apis) child.kill('SIGKILL');
    });
    for (const api of apis) await listens(api);
    // as in docs/deploy.md
    await startNginx(
      files!,
      `map $http_upgrade $warren_connection { default upgrade; '' ''; }
      upstream warren { ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')} }
      server {
        listen 127.0.0.1:${front};
        proxy_set_header Host $http_host;
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $warren_connection;
        location / { proxy_pass http://warren; }
      }`,
    );
    const url = `http://127.0.0.1:${front}`;
    await waitUntil('nginx answers', async () => (await fetch(`${url}/health`).catch(() => null))?.ok);
    const { ok } = clientOf(url);
    const { createRun: run } = await ok('mutation { createRun(input: { project: "rolling" }) { id } }');

    let sockets = 0;
    const heard = new Set<string>();
    const live = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 100,
      shouldRetry: () => true,
    });
    onTestFinished(async () => void (await live.dispose()));
    live.on('connected', () => sockets++);
    const stop = live.subscribe(
      { query: 'subscription { runChanged { id name } }' },
      { next: ({ data }) => heard.add(JSON.stringify(data)), error: () => {}, complete: () => {} },
    );
    await waitUntil('the page is connected', () => sockets > 0);

    const failures: string[] = [];
    const written = Array.from({ length: WRITERS }, () => 0);
    let ending = false;
    const writers = written.map(async (_none, writer) => {
      while (!ending) {
        const step = written[writer]!;
        const s = [{ name: `writer${writer}`, steps: [step], values: [step] }];
        const failure = await ok(LOG, { id: run.id, s }).then(
          () => null,
          (thrown: unknown) => String(thrown),
        );
        if (failure !== null) failures.push(failure);
        written[writer] = step + 1;
      }
    });
    const total = () => written.reduce((sum, steps) => sum + steps, 0);
    const progress = async (what: string) => {
      const before = total();
      await waitUntil(what, () => total() > before + 5 * WRITERS, 60_000);
    };
    for (const [place, port] of ports.entries()) {
      await progress('programs log');
      const before = apis[place]!;
      before.child.kill('SIGTERM');
      expect(await before.ended).toBe(0);
      await progress('programs log to the other one');
      apis[place] = start(port);
      await listens(apis[place]!);
    }
    await progress('programs log to both');
    ending = true;
    await Promise.all(writers);
    expect(failures, `nginx: ${readFileSync(join(files!.folder, 'nginx.log'), 'utf8')}`).toEqual([]);

    const { run: after } = await ok('query ($id: ID!) { run(id: $id) { metrics { name pointCount lastValue } } }', {
      id: run.id,
    });
    const expected = written.map((steps, writer) => ({
      ...{ name: `writer${writer}`, pointCount: steps, lastValue: steps - 1 },
    }));
    expect(after.metrics.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))).toEqual(
      expected,
    );

    expect(sockets).toBeGreaterThan(1);
    await ok('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
      input: { id: run.id, name: 'after' },
    });
    await waitUntil('the page hears of it', () => [...heard].some((data) => data.includes('after')));
    stop();
  });
});
