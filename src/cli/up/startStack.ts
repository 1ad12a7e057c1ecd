import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiEnvironment, bucketEnvironment, workerEnvironment } from '#src/base/platform/processes/childEnvironment.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { claimInstance, readInstance } from '#src/base/platform/instance.ts';
import { awaitPostgres } from '#src/base/platform/postgres/awaitPostgres.ts';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { postgresAccount } from '#src/base/platform/embedded/postgresAccount.ts';
import { makePrivateHome } from '#src/base/platform/privateHome.ts';
import { requireTrustedCommands } from '#src/base/platform/commandTrust.ts';
import { isLoopback } from '#src/server/access/loopback.ts';
import { startDatabase } from './databaseService.ts';
import { endWhenDegraded } from './endWhenDegraded.ts';
import { issueInstanceToken, type InstanceToken } from './instanceToken.ts';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { cutLog, keepLogBounded } from '#src/base/platform/files/boundedLog.ts';
import { startProgramService } from './programService.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { checkQueue } from '../doctor/checkServices.ts';
import { type SupervisedService, supervise } from './supervise.ts';

/** What was started, in stages that are stopped in the reverse order of their start. */
interface Stages {
  add(stage: Stage, service: SupervisedService): void;
  /** Starts the services of a stage again. */
  restart(stage: Stage): Promise<void>;
  /** Ends each stage when the next one has ended: workers can hand their runs back to a database that still runs. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

const ORDER = ['database', 'api', 'workers'] as const;
type Stage = (typeof ORDER)[number];

function createStages(): Stages {
  const services: Record<Stage, SupervisedService[]> = { database: [], api: [], workers: [] };
  return {
    add: (stage, service) => void services[stage].push(service),
    async restart(stage) {
      await Promise.all(services[stage].map((service) => service.restart()));
    },
    async stop() {
      for (const stage of [...ORDER].reverse()) await Promise.all(services[stage].map((service) => service.stop()));
    },
    kill() {
      for (const service of ORDER.flatMap((stage) => services[stage])) service.kill();
    },
  };
}

/**
 * Opens `<folder>/<name>.log` for appending and answers its descriptor, which stays open for children to inherit; the file is kept
 * within bounds while they write.
 */
async function openLogFile(folder: string, name: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  await cutLog(path);
  const handle = await open(path, 'a', 0o600);
  kept.push(handle);
  keepLogBounded(path);
  return handle.fd;
}

/** A FileHandle that is collected closes its descriptor: these live as long as the process. */
const kept: unknown[] = [];

const ANSWER_MS = 5_000;

/** Whether the database, and the Redis where there is one, answer this process. */
async function serversAnswer(environment: Environment, databaseUrl: string): Promise<boolean> {
  const limits = { applicationName: 'warren up', connectTimeoutMs: ANSWER_MS, answerMs: ANSWER_MS };
  try {
    const client = await connectPostgres(databaseUrl, limits);
    await client.query('SELECT 1').finally(() => client.end());
  } catch {
    return false;
  }
  return (await checkQueue(environment)).level !== 'broken';
}

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
  requireTrustedCommands(environment, { tokensAsked: asksTokens(environment) });
  makePrivateHome(environment.home, environment.databaseUrl === null ? postgresAccount() : null);
  const claim = await claimHome(environment.home);
  const stages = createStages();
  let issued: InstanceToken | null = null;
  const stop = async () => {
    await issued?.revoke();
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
    let databaseUrl = '';
    let postgresPid: number | null = null;
    const publish = () =>
      claim.write({
        apiUrl: url,
        databaseUrl,
        redisUrl: environment.redisUrl,
        postgresPid,
        asksTokens: asksTokens(environment),
        ...(token === null ? {} : { token }),
      });
    const onRestarted = async (pid: number, newUrl: string) => {
      const hasMoved = newUrl !== databaseUrl;
      databaseUrl = newUrl;
      postgresPid = pid;
      if (hasMoved && issued !== null) {
        void issued.revoke(); // closes its connections: the old address leads nowhere
        issued = await issueInstanceToken(newUrl, environment).catch(() => null);
        token = issued?.token ?? environment.token;
      }
      await publish();
      // They know the database by the address that they were started with.
      if (hasMoved) for (const stage of ['api', 'workers'] as const) void stages.restart(stage).catch(() => {});
    };
    const database = await startDatabase(environment, { say, onGivenUp: giveUp, onRestarted });
    databaseUrl = database.url;
    postgresPid = database.pid;
    if (database.service !== null) stages.add('database', database.service);
    await awaitPostgres(database.url, { seconds: environment.startSeconds, say });
    await applyMigrations(database.url, { onWait: say });
    if (needsToken(environment)) issued = await issueInstanceToken(database.url, environment);
    token = issued?.token ?? environment.token;
    await startPrograms(options, {
      stages,
      giveUp,
      variables: () => variablesOf(environment, { port, url, databaseUrl }),
      readyUrl: `${url}/ready`,
      serversAnswer: () => serversAnswer(environment, databaseUrl),
    });
    await publish();
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

/** Whether the API asks its callers for tokens, or to sign in. */
function asksTokens({ host, requireToken, signIn }: Environment): boolean {
  return requireToken || signIn !== null || !isLoopback(host);
}

/** Whether this machine's command line needs a token and was given none: also for the right to queue commands. */
function needsToken(environment: Environment): boolean {
  return environment.token === null && (environment.allowCommands || asksTokens(environment));
}

interface Addresses {
  port: number;
  url: string;
  databaseUrl: string;
}

function variablesOf({ home, host }: Environment, { port, url, databaseUrl }: Addresses): NodeJS.ProcessEnv {
  return {
    WARREN_HOME: home,
    DATABASE_URL: databaseUrl,
    WARREN_HOST: host,
    WARREN_PORT: String(port),
    WARREN_API_URL: url,
    // asked above, by what this `up` is
    WARREN_TRUST_COMMANDS: '1',
  };
}

function settingsOfApi({ artifacts }: Environment): NodeJS.ProcessEnv {
  const bucket = typeof artifacts === 'string' ? {} : bucketEnvironment();
  // graphql-js checks the types of every field twice unless it is told
  return { ...bucket, ...apiEnvironment(), NODE_ENV: 'production' };
}

interface ProgramSettings {
  stages: Stages;
  giveUp(how: string): void;
  /** Where they find each other. Read at each start: the database may have moved. */
  variables(): NodeJS.ProcessEnv;
  /** The API's. */
  readyUrl: string;
  /** Whether the database and the queue answer this process. */
  serversAnswer(): Promise<boolean>;
}

/** Starts API and workers all at once: workers wait for nothing but the database. */
async function startPrograms(
  { environment, logs, workers, say }: StackOptions,
  { stages, giveUp, variables, ...health }: ProgramSettings,
): Promise<void> {
  const program = async (name: string, stage: Stage, graceMs: number) => {
    const output = logs === 'inherit' ? logs : await openLogFile(logs.folder, name.replaceAll(' ', '-'));
    const path = builtFile(stage === 'api' ? 'api.js' : 'worker.js');
    const waitForListening = stage === 'api';
    const service = await supervise({
      name: `the ${name}`,
      start: async () => {
        const settings = { ...(stage === 'api' ? settingsOfApi(environment) : workerEnvironment()), ...variables() };
        const options = { path, environment: settings, output, waitForListening, graceMs };
        const program = await startProgramService(options);
        return stage === 'api' ? endWhenDegraded(program, { ...health, say }) : program;
      },
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
