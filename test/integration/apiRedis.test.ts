import Redis from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import { partsAway } from '#src/base/terminal/partsAway.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { apiForTests } from './support/apiForTests.ts';
import { redisForTests } from './support/redisForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { runWarren } from './support/warrenCommand.ts';

const redis = await redisForTests();

describe.skipIf(redis === null)('with the queue in Redis', async () => {
  const api = await apiForTests({ redisUrl: redis?.url ?? null });

  test('/health and `warren doctor` say where the database or the queue takes no writes, though both answer', async () => {
    const database = new URL(api.postgres.url).pathname.slice(1);
    const administrator = await connectPostgres(inject('postgresUrl'), { applicationName: 'test' });
    const memory = new Redis(redis?.url ?? '');
    const health = async () => await (await api.fetch('/health')).json();
    try {
      await administrator.query(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS false`);
      await memory.config('SET', 'maxmemory', '1');
      const ill = { status: 'degraded', database: 'no writes', queue: 'no writes' };
      await waitUntil('the API notices', async () => JSON.stringify(await health()) === JSON.stringify(ill));
      expect((await api.fetch('/ready')).status).toBe(200);
      expect(await partsAway(api.url)).toEqual([
        expect.stringContaining('takes no writes: make room'),
        expect.stringContaining('takes no jobs: give Redis more memory'),
      ]);
    } finally {
      await administrator.query(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS true`);
      await memory.config('SET', 'maxmemory', '0');
      await Promise.all([administrator.end(), memory.quit()]);
    }
    await waitUntil('the API goes on', async () => (await api.fetch('/health')).status === 200);
  });

  test('runs are queued there, and /health asks it', async () => {
    await api.ok(
      'mutation { enqueueRuns(input: { kind: "popularity", dataset: { name: "generated/markov-small" } }) { id } }',
    );
    expect((await api.ok('{ queue { backend queued } }')).queue).toEqual({ backend: 'redis', queued: 1 });
    expect(await (await api.fetch('/health')).json()).toEqual({ status: 'ok', database: 'ok', queue: 'ok' });
  });

  test('`warren doctor` asks it', async () => {
    const environment = { WARREN_HOME: temporaryFolder(), REDIS_URL: redis?.url ?? '' };
    expect((await runWarren(['doctor'], environment)).stdout).toMatch(/ok +Queue +Redis at 127\.0\.0\.1:.*noeviction/);
    const gone = await runWarren(['doctor'], { ...environment, REDIS_URL: 'redis://127.0.0.1:9' });
    expect(gone.stdout).toMatch(/BROKEN +Queue +Redis at 127\.0\.0\.1:9: .*ECONNREFUSED/);
    expect(gone.code).toBe(1);
  });

  test('`warren status` and `warren doctor` say that it is away', async () => {
    const environment = { WARREN_HOME: temporaryFolder(), WARREN_API_URL: api.url };
    expect((await runWarren(['status'], environment)).code).toBe(0);
    await redis?.kill();
    await waitUntil('the API notices', async () => (await api.fetch('/health')).status === 503);
    expect(await (await api.fetch('/metrics')).text()).toMatch(/^warren_queue_up 0$/m);
    const status = await runWarren(['status'], environment);
    expect(status.stdout).toContain('its queue does not answer: start Redis');
    expect(status.code).toBe(1);
    expect((await runWarren(['doctor'], environment)).stdout).toMatch(/BROKEN +API +.*its queue does not answer/);
    await redis?.restart();
    await waitUntil('the API goes on', async () => (await api.fetch('/health')).status === 200);
    expect((await runWarren(['status'], environment)).code).toBe(0);
  });
});
