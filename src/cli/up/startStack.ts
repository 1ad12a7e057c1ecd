import { badInput, WarrenError } from '../../contracts/errors.ts';
import { builtFile } from '../../lib/projectRoot.ts';
import type { Environment } from '../../platform/environment.ts';
import { freePort } from '../../platform/freePort.ts';
import { claimInstance, readInstance } from '../../platform/instance.ts';
import { applyMigrations } from '../../platform/migrations.ts';
import { internalToken, isLoopback } from './internalToken.ts';
import { startDatabase } from './databaseService.ts';
import { openLogFile } from './logFile.ts';
import { startProgramService } from './programService.ts';
import { type SupervisedService, supervise } from './supervise.ts';

export interface StackOptions {
  environment: Environment;
  /** Worker processes. */
  workers: number;
  /** Where the programs' logs go: to ours, or into files of this folder. */
  logs: 'inherit' | { folder: string };
  say(line: string): void;
}

/** Everything that `up` has started. */
export interface Stack {
  /** Address of the API and the dashboard, for this machine. */
  url: string;
  token: string | null;
  databaseUrl: string;
  /** Resolves in words when a part can run no more. */
  broken: Promise<string>;
  /** Workers first, so that they can hand their runs back, then the API, then the database. */
  stop(): Promise<void>;
  /** Ends everything at once; nothing is lost, but the next start takes longer. */
  kill(): void;
}

/** A worker gives its runs back within this time; then it is killed, and its leases run out. */
const WORKER_GRACE_MS = 10_000;
const API_GRACE_MS = 8_000;

/**
 * Starts database (unless DATABASE_URL names one), API and workers, as fast as their order allows, and watches over them.
 * @throws WarrenError CONFLICT when this home has a running one, BAD_INPUT for a fixed port that is taken.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { environment, say } = options;
  const running = await readInstance(environment.home);
  if (running !== null) {
    throw new WarrenError(
      'CONFLICT',
      `Warren runs already in ${environment.home}: ${running.apiUrl} (process ${running.pid}); stop it there with Ctrl-C, or set WARREN_HOME to another folder`,
    );
  }
  const claim = await claimInstance(environment.home);
  // In the order of their start; each stage is stopped when the next one has ended.
  const stages: SupervisedService[][] = [[], [], []];
  const stopAll = async () => {
    for (const stage of [...stages].reverse()) await Promise.all(stage.map((service) => service.stop()));
    await claim.release();
  };
  let breakStack: (how: string) => void = () => {};
  const broken = new Promise<string>((resolve) => {
    breakStack = resolve;
  });
  try {
    const port = await choosePort(options);
    const database = await startDatabase(environment, { say, onGivenUp: breakStack });
    if (database.service !== null) stages[0]?.push(database.service);
    await applyMigrations(database.url);
    const token =
      isLoopback(environment.host) && !environment.requireToken
        ? environment.token
        : (environment.token ?? (await internalToken(database.url)));
    const url = localUrl(environment.host, port);
    const variables = {
      ...process.env,
      WARREN_HOME: environment.home,
      DATABASE_URL: database.url,
      WARREN_HOST: environment.host,
      WARREN_PORT: String(port),
      WARREN_API_URL: url,
      ...(token === null ? {} : { WARREN_TOKEN: token }),
    };
    const program = async (name: string, file: string, graceMs: number) => {
      const output =
        options.logs === 'inherit' ? 'inherit' : await openLogFile(options.logs.folder, name.replaceAll(' ', '-'));
      return supervise({
        name: `the ${name}`,
        start: () =>
          startProgramService({
            path: builtFile(file),
            environment: variables,
            output,
            waitForListening: file === 'api.js',
            graceMs,
          }),
        say,
        onGivenUp: (how) => breakStack(`the ${name} ended: ${how}`),
      });
    };
    // All at once: workers wait for nothing but the database. Whatever has started must be known before a failure is dealt with.
    const started = await Promise.allSettled([
      program('api', 'api.js', API_GRACE_MS),
      ...Array.from({ length: options.workers }, (_, index) =>
        program(`worker ${index + 1}`, 'worker.js', WORKER_GRACE_MS),
      ),
    ]);
    started.forEach((result, index) => {
      if (result.status === 'fulfilled') stages[index === 0 ? 1 : 2]?.push(result.value);
    });
    for (const result of started) if (result.status === 'rejected') throw result.reason;
    await claim.write({
      apiUrl: url,
      databaseUrl: database.url,
      redisUrl: environment.redisUrl,
      postgresPid: database.pid,
      ...(token === null ? {} : { token }),
    });
    return {
      url,
      token,
      databaseUrl: database.url,
      broken,
      stop: stopAll,
      kill() {
        for (const service of stages.flat()) service.kill();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function choosePort({ environment, say }: StackOptions): Promise<number> {
  const { host, port: wanted } = environment;
  const port = await freePort(wanted, host);
  if (port === wanted || wanted === 0) return port;
  if (environment.portGiven)
    throw badInput(`port ${wanted} of ${host} is taken by another program; ${port} is free`, '--port');
  say(`port ${wanted} is taken by another program: using ${port}`);
  return port;
}

/** The address under which this machine reaches a server bound to `host`. */
function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
