import { expect, test } from 'vitest';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren } from './support/warrenCommand.ts';

const postgres = await postgresForTests();

test.each([
  ['doctor --artifacts', ['doctor', '--artifacts']],
  ['artifacts copy', ['artifacts', 'copy', '--to', temporaryFolder()]],
])('%s says that a database has no tables, and makes none', async (_name, parameters) => {
  const databaseUrl = await postgres.freshDatabase({ empty: true });
  const { code, stderr } = await runWarren(parameters, { DATABASE_URL: databaseUrl, WARREN_HOME: temporaryFolder() });
  expect(stderr).toMatch(/^warren: the database has no tables of Warren: see that DATABASE_URL is right/);
  expect(code).toBe(2);
  const client = await connectPostgres(databaseUrl, { applicationName: 'test' });
  const { rows } = await client.query(`SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`);
  await client.end();
  expect(rows).toEqual([{ tables: 0 }]);
});
