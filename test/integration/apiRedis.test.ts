import { describe, expect, test } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';
import { redisForTests } from './support/redisForTests.ts';

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
});
