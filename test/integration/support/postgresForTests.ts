import { inject } from 'vitest';
import { atEndOfFile } from './atEndOfFile.ts';
import { dropDatabases, makeDatabase, type TestDatabases } from './testDatabases.ts';

/**
 * A fresh migrated database for this test file, dropped after its tests, on the one PostgreSQL that all test files share
 * (`sharedPostgres.ts`). Use at the top of a file: `const postgres = await postgresForTests()`. A test that kills the
 * server, or looks at what all its sessions do, takes `postgresServerForTests`.
 */
export async function postgresForTests(): Promise<TestDatabases> {
  const serverUrl = inject('postgresUrl');
  const made: string[] = [];
  atEndOfFile(() => dropDatabases(serverUrl, made));
  const freshDatabase: TestDatabases['freshDatabase'] = async (options) => {
    const url = await makeDatabase(serverUrl, options);
    made.push(url);
    return url;
  };
  return { url: await freshDatabase(), freshDatabase };
}
