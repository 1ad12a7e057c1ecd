import { describe, expect, test } from 'vitest';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { requireSessionsOf } from '#src/base/platform/postgres/requireSessions.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { apiForTests } from './support/apiForTests.ts';
import { pgbouncerForTests } from './support/pgbouncerForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { runWarren } from './support/warrenCommand.ts';

const postgres = await postgresForTests();
const IGNORED = 'options, statement_timeout, idle_in_transaction_session_timeout';
const transactions = await pgbouncerForTests(postgres.url, {
  pool_mode: 'transaction',
  ignore_startup_parameters: IGNORED,
});

test('PostgreSQL itself passes', async () => {
  await requireSessionsOf(postgres.url);
});

describe.skipIf(transactions === null)('a pgbouncer before PostgreSQL', () => {
  test('that keeps no sessions is refused, before anything is changed', async () => {
    await expect(requireSessionsOf(transactions!)).rejects.toThrow(/pool_mode = transaction.*PostgreSQL itself/);
    const single = await pgbouncerForTests(postgres.url, {
      ...{ pool_mode: 'transaction', ignore_startup_parameters: IGNORED, default_pool_size: '1' },
    });
    await expect(requireSessionsOf(single!)).rejects.toThrow('pool_mode = transaction');
    await expect(applyMigrations(transactions!)).rejects.toThrow('pool_mode = transaction');
    const environment = { DATABASE_URL: transactions!, WARREN_HOME: temporaryFolder() };
    const doctor = await runWarren(['doctor'], environment);
    expect(doctor.stdout).toMatch(/BROKEN +PostgreSQL +.*each transaction another connection/);
    for (const program of ['api', 'worker']) {
      const { code, stderr } = await runWarren([program], environment);
      expect(stderr).toContain('Warren needs sessions, for locks, notifications and the rights of tokens');
      expect(code).toBe(2);
    }
  });

  test('as it comes, says what it does not take and what to do', async () => {
    const plain = await pgbouncerForTests(postgres.url, { pool_mode: 'session' });
    const { code, stderr } = await runWarren(['migrate', 'apply'], { DATABASE_URL: plain!, WARREN_START_SECONDS: '0' });
    expect(stderr).toMatch(/unsupported startup parameter: options: a pooler such as pgbouncer stands before it/);
    expect(code).toBe(3);
  });

  test('with sessions, which drops settings of connections, says which ones, and works once the role has them', async () => {
    const database = await postgres.freshDatabase();
    const sessions = await pgbouncerForTests(database, { pool_mode: 'session', ignore_startup_parameters: IGNORED });
    const needed = await requireSessionsOf(sessions!).catch((thrown: Error) => thrown.message);
    const settings = [...String(needed).matchAll(/ALTER ROLE "\w+" SET ([^;]+);/g)].map(([, setting]) => setting);
    expect(settings.map((setting) => setting?.split(' ')[0])).toEqual(
      expect.arrayContaining(['statement_timeout', 'idle_in_transaction_session_timeout']),
    );
    const client = await connectPostgres(database, { applicationName: 'test' });
    const name = new URL(database).pathname.slice(1);
    for (const setting of settings) await client.query(`ALTER DATABASE ${name} SET ${setting}`);
    await client.end();
    const fresh = await pgbouncerForTests(database, { pool_mode: 'session', ignore_startup_parameters: IGNORED });
    await requireSessionsOf(fresh!);
    const api = await apiForTests({ databaseUrl: fresh! });
    const seen: string[] = [];
    const socket = api.socket();
    socket.subscribe(
      { query: 'subscription { runChanged { id state } }' },
      { next: ({ data }) => seen.push(JSON.stringify(data)), error: () => {}, complete: () => {} },
    );
    await new Promise((resolve) => socket.on('connected', resolve));
    const { createRun } = await api.ok('mutation { createRun(input: { project: "pooled" }) { id } }');
    await waitUntil('the subscription hears of it', () => seen.some((data) => data.includes(createRun.id)));
    await api.ok(`mutation { logMetrics(runId: "${createRun.id}", series: [{ name: "a", steps: [1], values: [2] }]) }`);
    await socket.dispose();
  });
});
