import { badInput, WarrenError } from '../../contracts/errors.ts';
import { builtFile } from '../../lib/projectRoot.ts';
import type { Environment } from '../../platform/environment.ts';
import { freePort } from '../../platform/freePort.ts';
import { claimInstance, readInstance } from '../../platform/instance.ts';
import { applyMigrations } from '../../platform/migrations.ts';
import { startDatabase } from './databaseService.ts';
import { internalToken, isLoopback } from './internalToken.ts';
import { openLogFile } from './logFile.ts';
import { startProgramService } from './programService.ts';
import { createStages, type Stage, type Stages } from './stages.ts';
import { supervise } from './supervise.ts';

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
  /** Resolves in words when a part can run no more. */
  broken: Promise<string>;
  /** Workers first, so that they can hand their runs back, then the API, then the database. */
  stop(): Promise<void>;
  /** Ends everything at once; nothing is lost, but the next start takes longer. */
  kill(): void;
}

/** A worker gives its runs back within this time; then it is killed, and its leases run out. */
const WORKER_GRACE_MS = 13_000;
const API_GRACE_MS = 8_000;

/**
 * Starts database (unless DATABASE_URL names one), API and workers, as fast as their order allows, and watches over them.
 * @throws WarrenError CONFLICT when this home has a running one, BAD_INPUT for a fixed port that is taken.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { environment, say } = options;
  const claim = await claimHome(environment.home);
  const stages = createStages();
  const stop = async () => {
    await stages.stop();
    await claim.release();
  };
  let giveUp: (how: string) => void = () => {};
  const broken = new Promise<string>((resolve) => {
    giveUp = resolve;
  });
  try {
    const port = await choosePort(options);
    const url = localUrl(environment.host, port);
    let token: string | null = null;
    const publish = (postgresPid: number | null, databaseUrl: string) =>
      claim.write({
        apiUrl: url,
        databaseUrl,
        redisUrl: environment.redisUrl,
        postgresPid,
        ...(token === null ? {} : { token }),
      });
    const database = await startDatabase(environment, { say, onGivenUp: giveUp, onRestarted: publish });
    if (database.service !== null) stages.add('database', database.service);
    await applyMigrations(database.url);
    token = await tokenFor(environment, database.url);
    await startPrograms(options, {
      stages,
      giveUp,
      variables: variablesOf(environment, { port, url, token, databaseUrl: database.url }),
    });
    await publish(database.pid, database.url);
    return { url, token, broken, stop, kill: () => stages.kill() };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function claimHome(home: string) {
  const running = await readInstance(home);
  if (running === null) return claimInstance(home);
  const where = `${running.apiUrl} (process ${running.pid})`;
  const advice = 'stop it there with Ctrl-C, or set WARREN_HOME to another folder';
  throw new WarrenError('CONFLICT', `Warren runs already in ${home}: ${where}; ${advice}`);
}

/** The token of this machine's workers and command line; null where the API asks for none. */
async function tokenFor({ host, requireToken, token }: Environment, databaseUrl: string): Promise<string | null> {
  if (token !== null || (isLoopback(host) && !requireToken)) return token;
  return internalToken(databaseUrl);
}

interface Addresses {
  port: number;
  url: string;
  token: string | null;
  databaseUrl: string;
}

function variablesOf({ home, host }: Environment, { port, url, token, databaseUrl }: Addresses): NodeJS.ProcessEnv {
  return {
    ...process.env,
    WARREN_HOME: home,
    DATABASE_URL: databaseUrl,
    WARREN_HOST: host,
    WARREN_PORT: String(port),
    WARREN_API_URL: url,
    ...(token === null ? {} : { WARREN_TOKEN: token }),
  };
}

interface ProgramSettings {
  stages: Stages;
  giveUp(how: string): void;
  variables: NodeJS.ProcessEnv;
}

/** Starts API and workers all at once: workers wait for nothing but the database. */
async function startPrograms(
  { logs, workers, say }: StackOptions,
  { stages, giveUp, variables }: ProgramSettings,
): Promise<void> {
  const program = async (name: string, stage: Stage, graceMs: number) => {
    const output = logs === 'inherit' ? logs : await openLogFile(logs.folder, name.replaceAll(' ', '-'));
    const path = builtFile(stage === 'api' ? 'api.js' : 'worker.js');
    const waitForListening = stage === 'api';
    const service = await supervise({
      name: `the ${name}`,
      start: () => startProgramService({ path, environment: variables, output, waitForListening, graceMs }),
      say,
      onGivenUp: (how) => giveUp(`the ${name} ended: ${how}`),
    });
    stages.add(stage, service);
  };
  const numbers = Array.from({ length: workers }, (_, index) => index + 1);
  // All must have started or failed before a failure is dealt with: it stops those that have started.
  const starts = await Promise.allSettled([
    program('api', 'api', API_GRACE_MS),
    ...numbers.map((number) => program(`worker ${number}`, 'workers', WORKER_GRACE_MS)),
  ]);
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
}

async function choosePort({ environment, say }: StackOptions): Promise<number> {
  const { host, port: wanted, portGiven } = environment;
  const port = await freePort(wanted, host);
  if (port === wanted || wanted === 0) return port;
  if (portGiven) throw badInput(`port ${wanted} of ${host} is taken by another program; ${port} is free`, '--port');
  say(`port ${wanted} is taken by another program: using ${port}`);
  return port;
}

/** The address under which this machine reaches a server bound to `host`. */
function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
