import type { QueueLocation } from '#src/base/platform/queue/queueConnection.ts';
import { postgresServerForTests, type TestPostgres } from './postgresServerForTests.ts';
import { redisForTests } from './redisForTests.ts';

export interface TestQueueBackend {
  name: 'postgres' | 'redis';
  postgres: TestPostgres;
  /** A queue of its own, empty: in a fresh database, or under a fresh prefix. */
  freshQueue(): Promise<QueueLocation>;
  /** Of the server that holds the queue. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/**
 * The queue's backends that can be tested here, for `describe.each`. Use at the top of a file. Redis is missing, with the
 * reason printed, where it is not installed.
 */
export async function queueBackendsForTests(): Promise<TestQueueBackend[]> {
  const postgres = await postgresServerForTests();
  const redis = await redisForTests();
  let prefixes = 0;
  const backends: TestQueueBackend[] = [
    {
      name: 'postgres',
      postgres,
      freshQueue: async () => ({ databaseUrl: await postgres.freshDatabase(), redisUrl: null }),
      kill: () => postgres.kill(),
      restart: () => postgres.restart(),
    },
  ];
  if (redis !== null) {
    backends.push({
      name: 'redis',
      postgres,
      freshQueue: async () => {
        prefixes += 1;
        return { databaseUrl: postgres.url, redisUrl: redis.url, prefix: `test${prefixes}` };
      },
      kill: () => redis.kill(),
      restart: () => redis.restart(),
    });
  }
  return backends;
}
