import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { requireRoom } from '#src/base/platform/postgres/requireRoom.ts';
import { postgresForTests } from '../support/postgresForTests.ts';

const postgres = await postgresForTests();

test('where temporary tables are forbidden, a connection that is let in has to do', async () => {
  const name = new URL(postgres.url).pathname.slice(1);
  const role = `plain_${randomBytes(4).toString('hex')}`;
  const administrator = await connectPostgres(postgres.url, { applicationName: 'test' });
  await administrator.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  await administrator.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
  const url = new URL(postgres.url);
  [url.username, url.password] = [role, 'plain'];
  const db = openDatabase(url.href);
  try {
    await requireRoom(db);
    await administrator.query(`ALTER ROLE ${role} NOLOGIN`);
    await expect(requireRoom(db)).rejects.toThrow('was refused');
  } finally {
    await closeDatabase(db);
    await administrator.query(`DROP ROLE ${role}`);
    await administrator.end();
  }
});
