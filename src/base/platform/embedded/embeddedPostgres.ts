import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { APPLICATION_ROLE, prepareDatabase } from '../postgres/applicationRole.ts';
import { postgresEnvironment } from '../processes/childEnvironment.ts';
import { cutLog, keepLogBounded } from '../files/boundedLog.ts';
import { freePort } from '../processes/freePort.ts';
import type { Logger } from '../logger.ts';
import { type PostgresAccount, postgresAccount } from './postgresAccount.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgresBinaries.ts';
import { connectPostgres, postgresErrorCode } from '../postgres/postgresClient.ts';
import { openCluster } from './postgresCluster.ts';
import { systemFolder } from './postgresPlace.ts';
import { makePrivateHome } from '../privateHome.ts';
import { setPassword } from './postgresPassword.ts';
import { type ClusterRecord, newPassword, SUPERUSER, writeClusterRecord } from './postgresRecord.ts';
import { exitOf, type ProcessExit, stopProcess } from '../processes/processTree.ts';

const HOST = '127.0.0.1';
const DATABASE = 'warren';
const DEFAULT_PORT = 4690;
const START_MS = 60_000;
const STOP_MS = 20_000;

export interface EmbeddedPostgresOptions {
  /** Warren's home: the data and the record with the password are kept there. */
  home: string;
  /** Port to try first; default that of the last start, then 4690 and upwards. 0 takes any. */
  port?: number;
  log: Logger;
  /** Whether commits survive a crash of the machine (fsync), not only of the server; default true. Tests are faster without. */
  durable?: boolean;
  /** Whether the superuser's address is wanted: that user gets a new password then. */
  superuser?: boolean;
}

export interface EmbeddedPostgres {
  /** Address of the database `warren` for its owner, a role without any other rights, with its password. */
  url: string;
  /** The same for the superuser, whose password is kept nowhere: for making databases and roles. Only where it was asked for. */
  superuserUrl(): string;
  port: number;
  pid: number;
  dataFolder: string;
  /** Ends all connections and the server; when it resolves, the server has ended. */
  stop(): Promise<void>;
  /** Resolves when the server has ended, asked or not. */
  exited: Promise<ProcessExit>;
}

/**
 * Starts the private PostgreSQL of a home, on loopback alone, and makes its data folder and database the first time. One
 * that a killed Warren left running on the same data is stopped before. The caller holds the home (`claimInstance`).
 * @throws WarrenError UNAVAILABLE or CONFLICT, with what stands in the way.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { home, log, durable = true } = options;
  const account = postgresAccount();
  makePrivateHome(home, account);
  const binaries = findPostgresBinaries(account, () => systemFolder(account));
  let record = await openCluster(home, { binaries, account, durable, log });
  const becomeSuperuser = async () => {
    const superuserPassword = newPassword();
    await setPassword(record.dataFolder, { binaries, account }, { role: SUPERUSER, password: superuserPassword });
    record = { ...record, superuserPassword };
  };
  const wantsSuperuser = options.superuser === true || record.isFormer === true;
  if (wantsSuperuser && record.superuserPassword === undefined) await becomeSuperuser();
  const logFile = join(home, 'postgres.log');
  await cutLog(logFile);
  let wanted = options.port ?? record.port ?? DEFAULT_PORT;
  const deadline = Date.now() + START_MS;
  for (;;) {
    const port = await freePort(wanted, HOST);
    const server = spawnServer({ binaries, account, record, port, durable, logFile });
    const problem = await waitUntilReady(server, { record, port, deadline });
    if (problem === null) {
      if (record.port !== port || record.isFormer === true) writeClusterRecord(home, { ...record, port });
      log.debug({ port, dataFolder: record.dataFolder }, 'embedded PostgreSQL is up');
      const handle = handleOf(server, record, port);
      void handle.exited.then(keepLogBounded(logFile));
      return handle;
    }
    if (problem === UNPREPARED && record.superuserPassword === undefined) {
      await becomeSuperuser();
      continue;
    }
    // Two that pass by themselves: another process took the port in between, or the processes of a server that was killed
    // still hold its shared memory.
    const passing = /Address already in use|shared memory block|lock file "postmaster.pid" already exists/.test(
      problem,
    );
    if (!passing || Date.now() > deadline) {
      throw new WarrenError('UNAVAILABLE', `embedded PostgreSQL did not start: ${problem} (log: ${logFile})`);
    }
    if (problem.includes('Address already in use')) wanted = port + 1;
    await delay(200);
  }
}

function urlOf(record: ClusterRecord, port: number): string {
  return `postgresql://${APPLICATION_ROLE}:${record.password}@${HOST}:${port}/${DATABASE}`;
}

function superuserUrlOf({ superuserPassword }: ClusterRecord, port: number): string {
  if (superuserPassword === undefined) throw new Error('internal: nobody has asked for the superuser at the start');
  return `postgresql://${SUPERUSER}:${superuserPassword}@${HOST}:${port}/${DATABASE}`;
}

function handleOf(server: RunningServer, record: ClusterRecord, port: number): EmbeddedPostgres {
  const exited = exitOf(server.child);
  return {
    url: urlOf(record, port),
    superuserUrl: () => superuserUrlOf(record, port),
    port,
    pid: server.child.pid!,
    dataFolder: record.dataFolder,
    exited,
    // SIGINT is PostgreSQL's fast shutdown: it ends the connections and writes a checkpoint.
    stop: async () => void (await stopProcess(server.child, { signal: 'SIGINT', graceMs: STOP_MS })),
  };
}

interface RunningServer {
  child: ChildProcess;
  /** What it has written to its log since its start. */
  output(): string;
}

interface ServerStart {
  binaries: PostgresBinaries;
  account: PostgresAccount;
  record: ClusterRecord;
  port: number;
  durable: boolean;
  logFile: string;
}

function spawnServer({ binaries, account, record, port, durable, logFile }: ServerStart): RunningServer {
  const settings: Record<string, string | number> = {
    listen_addresses: HOST,
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    // Short queries: compiling them costs more than it gains.
    jit: 'off',
    // LISTEN and queue connections of processes that were killed must not linger.
    tcp_keepalives_idle: 30,
    log_checkpoints: 'off',
    timezone: 'UTC',
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    // Commits still reach the system before they are told: only a crash of the machine loses them, not of the server.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const descriptor = openSync(logFile, 'a+');
  const start = statSync(logFile).size;
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  try {
    // Detached: Ctrl-C in a terminal reaches Warren alone, which stops its server last.
    const child = spawn(binaries.postgres, ['-D', record.dataFolder, ...flags], {
      cwd: record.dataFolder,
      env: postgresEnvironment(),
      stdio: ['ignore', descriptor, descriptor],
      detached: true,
      windowsHide: true,
      ...account,
    });
    child.once('error', () => {}); // told by waitUntilReady, which sees that there is no process
    return { child, output: () => readFileSync(logFile).subarray(start).toString() };
  } finally {
    closeSync(descriptor);
  }
}

/** The database is not there, or its owner does not enter by the password of the record: the superuser makes it so. */
const UNPREPARED = 'the password in postgres.json is not the one of its data folder';
/** Of PostgreSQL: a wrong password, no such role, no such database. */
const UNPREPARED_CODES: ReadonlySet<string> = new Set(['28P01', '28000', '3D000']);

/** Null when the server answers in the database `warren`, else what it said instead. */
async function waitUntilReady(
  server: RunningServer,
  { record, port, deadline }: { record: ClusterRecord; port: number; deadline: number },
): Promise<string | null> {
  const ended = (): boolean => {
    const { exitCode, signalCode, pid } = server.child;
    return exitCode !== null || signalCode !== null || pid === undefined;
  };
  while (Date.now() < deadline) {
    if (ended()) return lastWords(server.output());
    // Not before: another server may hold the port that ours has just failed to take, and in a copied home it even takes the
    // same password.
    if (!saysReady(server.child.pid, record.dataFolder)) {
      await delay(25);
      continue;
    }
    try {
      if (record.superuserPassword !== undefined) {
        await prepareDatabase(superuserUrlOf(record, port), DATABASE, record.password);
      }
      await (await connectPostgres(urlOf(record, port), { applicationName: 'warren start' })).end();
      return null;
    } catch (thrown) {
      const cause = thrown instanceof WarrenError ? thrown.cause : thrown;
      const code = postgresErrorCode(cause);
      // 57P03: it recovers from a crash. Anything else will not pass by waiting.
      if (code !== null && UNPREPARED_CODES.has(code)) {
        await stopProcess(server.child, { signal: 'SIGINT', graceMs: STOP_MS });
        return UNPREPARED;
      }
    }
    await delay(25);
  }
  await stopProcess(server.child, { signal: 'SIGINT', graceMs: STOP_MS });
  return `it did not answer within ${START_MS / 1000} s`;
}

/** Whether the lock file of the data says that this process serves them (its first and eighth line). */
function saysReady(pid: number | undefined, dataFolder: string): boolean {
  const lockFile = join(dataFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return false;
  const lines = readFileSync(lockFile, 'utf8').split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => /FATAL|PANIC|ERROR|could not|HINT/.test(line));
  return (
    lines
      .slice(-4)
      .map((line) => line.replace(/^.*?\] /, ''))
      .join('; ') ||
    output.trim().slice(-300) ||
    'it could not be run'
  );
}
