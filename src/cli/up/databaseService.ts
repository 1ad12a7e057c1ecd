import { startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import type { ProcessExit } from '#src/base/platform/processes/processTree.ts';
import { type RunningService, type SupervisedService, supervise } from './supervise.ts';

export interface StartedDatabase {
  url: string;
  /** Null where the database is not ours. */
  service: SupervisedService | null;
  /** Process id of the embedded server; null where the database is not ours. */
  pid: number | null;
}

export interface StartDatabaseOptions {
  say(line: string): void;
  onGivenUp(how: string): void;
  /** Told the process of a server that was started again, and its address, which may be another one. */
  onRestarted(pid: number, url: string): Promise<void>;
}

/** The database of DATABASE_URL, else the embedded PostgreSQL of this home, started and watched over. */
export async function startDatabase(environment: Environment, options: StartDatabaseOptions): Promise<StartedDatabase> {
  const { databaseUrl, home, logLevel } = environment;
  if (databaseUrl !== null) return { url: databaseUrl, service: null, pid: null };
  const log = createLogger('postgres', logLevel);
  let url: string | null = null;
  let pid: number | null = null;
  const start = async (): Promise<RunningService> => {
    // A new start takes the port of the last one, unless another program has taken it meanwhile.
    const server = await startEmbeddedPostgres({ home, log });
    if (url !== null && server.url !== url) {
      const taken = `port ${new URL(url).port} has been taken by another program`;
      options.say(`${taken}: PostgreSQL is on port ${server.port} now`);
    }
    const isRestart = url !== null;
    url = server.url;
    pid = server.pid;
    if (isRestart) await options.onRestarted(pid, url);
    return {
      ended: server.exited.then((exit) => ({ how: describe(exit), hopeless: false })),
      stop: () => server.stop(),
      // SIGQUIT is PostgreSQL's immediate shutdown: the next start recovers from its log, as after a crash.
      kill: () => signalIfRunning(server.pid, 'SIGQUIT'),
    };
  };
  const service = await supervise({
    name: 'PostgreSQL',
    start,
    say: options.say,
    onGivenUp: (how) => options.onGivenUp(`PostgreSQL ended: ${how}`),
  });
  return { url: url ?? '', service, pid };
}

function describe({ code, signal }: ProcessExit): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}
