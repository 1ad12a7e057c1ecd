import { describe, expect, test } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';
import { redisForTests } from './support/redisForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { runWarren } from './support/warrenCommand.ts';

const redis = await redisForTests();

describe.skipIf(redis === null)('with the queue in Redis', async () => {
  const api = await apiForTests({ redisUrl: redis?.url ?? null });

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
