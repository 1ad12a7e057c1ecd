import { join } from 'node:path';
import { atEndOfFile } from './atEndOfFile.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { childrenOf } from './childrenOf.ts';
import { prepareHome } from './preparedHome.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { makeDatabase, makeTemplate, type TestDatabases } from './testDatabases.ts';

/** The address of its databases stays the same after a restart. */
export interface TestPostgres extends TestDatabases {
  server(): EmbeddedPostgres;
  /** `kill -9` of all its processes, as an accident would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `kill` or a stop. */
  restart(): Promise<void>;
}

/**
 * A real PostgreSQL (Warren's embedded one, without fsync unless `durable`) of this test file alone, with a fresh migrated
 * database, ended after its tests for certain. Use at the top of a file: `const postgres = await
 * postgresServerForTests()`. A test that kills it and counts on what was committed needs `durable`; one that does not kill
 * it takes `postgresForTests`, which costs less.
 */
export async function postgresServerForTests({ durable = false } = {}): Promise<TestPostgres> {
  const home = join(temporaryFolder(), 'home');
  const log = createLogger('test', 'warn');
  const isPrepared = prepareHome(home);
  let server = await startEmbeddedPostgres({ home, port: 0, log, durable, superuser: true });
  atEndOfFile(() => server.stop());
  const superuserUrl = server.superuserUrl();
  if (!isPrepared) await makeTemplate(superuserUrl);
  return {
    url: await makeDatabase(superuserUrl),
    server: () => server,
    freshDatabase: (options) => makeDatabase(superuserUrl, options),
    kill: async () => {
      // Its children, too, which else may answer once more before they notice.
      const sessions = childrenOf(server.pid);
      process.kill(server.pid, 'SIGKILL');
      for (const pid of sessions) killIfAlive(pid);
      await server.exited;
    },
    restart: async () => {
      // without a new password of the superuser, whose addresses stay the same
      server = await startEmbeddedPostgres({ home, port: server.port, log, durable });
    },
  };
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH')) throw thrown;
  }
}
