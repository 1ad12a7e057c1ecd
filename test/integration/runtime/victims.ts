import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import type { TestPostgres } from '../support/postgresServerForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { startProgram, type TestProgram } from './testWorkers.ts';

export interface Victims {
  /** Kills `postgres`, `api` or `worker` (one and the other in turn) with SIGKILL, and starts it anew. */
  killOne(victim: string): Promise<void>;
  stop(): Promise<void>;
}

/** An API and two workers of one place each, over a PostgreSQL of their own. */
export async function startVictims(
  postgres: TestPostgres,
  { redisUrl = null }: { redisUrl?: string | null } = {},
): Promise<Victims> {
  const home = join(temporaryFolder(), 'home');
  mkdirSync(home, { recursive: true });
  const port = await freePort(0);
  const environment = {
    WARREN_HOME: home,
    DATABASE_URL: postgres.url,
    WARREN_PORT: String(port),
    WARREN_API_URL: `http://127.0.0.1:${port}`,
    WARREN_SLOTS: '1',
    WARREN_LOG: 'warn',
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
  };
  const programs: { file: string; running: TestProgram }[] = [];
  for (const file of ['api.js', 'worker.js', 'worker.js']) {
    programs.push({ file, running: await startProgram(builtFile(file), environment) });
  }
  let workersKilled = 0;
  return {
    async killOne(victim) {
      if (victim === 'postgres') {
        await postgres.kill();
        await postgres.restart();
        return;
      }
      const program = programs[victim === 'api' ? 0 : 1 + (workersKilled++ % 2)];
      if (program === undefined) throw new Error('no such program');
      await program.running.kill();
      program.running = await startProgram(builtFile(program.file), environment);
    },
    async stop() {
      await Promise.all(programs.map(({ running }) => running.stop()));
    },
  };
}
