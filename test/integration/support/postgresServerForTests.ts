import { join } from 'node:path';
import { atEndOfFile } from './atEndOfFile.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#src/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/platform/logger.ts';
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
  const start = (port: number) => startEmbeddedPostgres({ home, port, log, durable, superuser: true });
  const isPrepared = prepareHome(home);
  let server = await start(0);
  atEndOfFile(() => server.stop());
  if (!isPrepared) await makeTemplate(server.superuserUrl());
  return {
    url: await makeDatabase(server.superuserUrl()),
    server: () => server,
    freshDatabase: (options) => makeDatabase(server.superuserUrl(), options),
    kill: async () => {
      // Its children, too, which else may answer once more before they notice.
      const sessions = childrenOf(server.pid);
      process.kill(server.pid, 'SIGKILL');
      for (const pid of sessions) killIfAlive(pid);
      await server.exited;
    },
    restart: async () => {
      server = await start(server.port);
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
