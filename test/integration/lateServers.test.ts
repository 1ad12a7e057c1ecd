import { describe, expect, test } from 'vitest';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { clientOf } from './support/apiForTests.ts';
import { type ApiProcess, apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { debianPostgresForTests } from './support/debianPostgresForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { redisForTests } from './support/redisForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { runWarren } from './support/warrenCommand.ts';

// After a reboot everything starts at once, and the API may be there before its servers are.

const postgres = await postgresForTests();
const debian = await debianPostgresForTests();
const redis = await redisForTests();
const startProcess = apiProcessesForTests();

const says = (process: ApiProcess, text: RegExp) => waitUntil(String(text), () => text.test(process.stderr));
const listens = (process: ApiProcess) => waitUntil('the API listens', () => process.url, 60_000);

describe.skipIf(debian === null)('a PostgreSQL that starts later', async () => {
  const settings = { DATABASE_URL: await debian!.freshDatabase(), WARREN_PORT: '0' };

  test('is waited for, when nothing listens and when it says that it is starting up', async () => {
    await debian!.stop();
    const first = startProcess(settings);
    await says(first, /nothing listens there.*trying again for 60 s \(WARREN_START_SECONDS\)/);
    const held = debian!.startSlowly();
    await waitUntil('PostgreSQL says that it is starting up', async () => {
      const refused = await connectPostgres(settings.DATABASE_URL, { applicationName: 'test' }).catch(
        (thrown) => thrown,
      );
      return refused instanceof Error && refused.message.includes('starting up');
    });
    const second = startProcess(settings);
    await says(second, /the database system is (starting up|not yet accepting connections).*trying again for 60 s/);
    const migrating = runWarren(['migrate', 'apply'], { ...settings, WARREN_HOME: temporaryFolder() });
    held.letGo();
    for (const api of [first, second]) {
      const { ok } = clientOf(await listens(api));
      expect((await ok('{ runs { totalCount } }')).runs.totalCount).toBe(0);
      expect(api.stderr).toContain('it answers now');
      api.child.kill('SIGTERM');
      expect(await api.ended).toBe(0);
    }
    expect((await migrating).code).toBe(0);
  });
});

test('one that does not come is given up after the time that was said, with what was wrong', async () => {
  const settings = { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x', WARREN_START_SECONDS: '1' };
  const started = startProcess(settings);
  expect(await started.ended).toBe(1);
  expect(started.stderr).toMatch(/nothing listens there.*\(tried for 1 s, as WARREN_START_SECONDS says\)\n$/);
});

test('an API that waits ends at once when it is asked to', async () => {
  const started = startProcess({ DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' });
  await says(started, /trying again/);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test('what waiting does not mend ends it at once', async () => {
  const missing = new URL(postgres.url);
  missing.pathname = '/not_there';
  const started = startProcess({ DATABASE_URL: missing.href });
  expect(await started.ended).toBe(1);
  expect(started.stderr).toContain('there is no such database');
  expect(started.stderr).not.toContain('trying again');
});

describe.skipIf(redis === null)('a Redis that starts later', () => {
  test('is waited for', async () => {
    await redis!.kill();
    const started = startProcess({ DATABASE_URL: postgres.url, REDIS_URL: redis!.url, WARREN_PORT: '0' });
    await says(started, /Redis at 127\.0\.0\.1:\d+: .*ECONNREFUSED.*trying again for 60 s/);
    await redis!.restart();
    const { ok } = clientOf(await listens(started));
    expect((await ok('{ queue { backend } }')).queue.backend).toBe('redis');
  });
});
