import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type PostgresAccount, canEnter } from './postgresAccount.ts';
import { runPostgresProgram } from './postgresProgram.ts';
import {
  SUPERUSER,
  type ClusterRecord,
  innerDataFolder,
  isInside,
  newPassword,
  readClusterRecord,
  recordPath,
  keepDamagedRecord,
  writeClusterRecord,
} from './postgresRecord.ts';
import { folderIdentity } from '../files/folderIdentity.ts';
import type { Logger } from '../logger.ts';
import { commandOf, waitForEnd } from '../processes/otherProcess.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';
import { isOwnedBy, ownerElsewhere, writeOwner } from './postgresOwner.ts';
import { setPassword } from './postgresPassword.ts';
import { copyOuterCluster, settleCluster, systemFolder, takeOver } from './postgresPlace.ts';

const STOP_MS = 20_000;

/**
 * Ends a server that still runs on these data, and removes a lock file that names no such server. A server on other data,
 * as on those that these were copied from, is left alone.
 * @throws WarrenError CONFLICT when it does not end.
 */
async function stopLeftover(dataFolder: string, log: Logger): Promise<void> {
  const lockFile = join(dataFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const [first, folder = ''] = readFileSync(lockFile, 'utf8').split('\n');
  const pid = Number.parseInt(first ?? '', 10);
  if (servesFolder(pid, dataFolder)) {
    log.warn({ pid }, 'stopping a PostgreSQL that an earlier Warren left running on these data');
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      process.kill(pid, signal);
      if (await waitForEnd(pid, STOP_MS)) return;
    }
    throw new WarrenError('CONFLICT', `process ${pid}, a PostgreSQL on ${dataFolder}, does not end; end it by hand`);
  }
  if (folder !== '' && existsSync(folder) && servesFolder(pid, folder)) {
    log.warn(
      `this home was copied while the database of the original, ${folder}, was running: such a copy may be damaged; ` +
        '`warren backup` there and `warren restore` here make a sound one',
    );
  }
  rmSync(lockFile, { force: true });
}

/** Whether a process is a PostgreSQL that works on this very folder, even if either was renamed since its start. */
function servesFolder(pid: number, dataFolder: string): boolean {
  const command = commandOf(pid);
  if (command?.includes('postgres') !== true) return false;
  if (process.platform === 'linux') {
    try {
      const served = folderIdentity(`/proc/${pid}/cwd`);
      if (served !== null) return served === folderIdentity(dataFolder);
    } catch {
      // Another user's process: its command line is all that can be seen.
    }
  }
  return [dataFolder, realpathSync(dataFolder)].some((path) => `${command} `.includes(` -D ${path} `));
}

/** Makes an empty cluster, with one superuser. Throws UNAVAILABLE with the end of what `initdb` said. */
async function runInitdb(
  initdb: string,
  args: string[],
  { password, account, folder }: { password: string; account: PostgresAccount; folder: string },
): Promise<void> {
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null) chownSync(passwordFile, account.uid, account.gid);
  // The built-in locale sorts by code point and needs nothing of the machine: the same order everywhere.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    const { code, output } = await runPostgresProgram(initdb, [...args, ...locale, ...access], { folder, account });
    if (code === 0) return;
    throw new WarrenError('UNAVAILABLE', `initdb failed: ${output.trim().split('\n').slice(-6).join('; ')}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

export interface ClusterTools {
  binaries: PostgresBinaries;
  account: PostgresAccount;
  /** Whether the data must survive a crash of the machine. */
  durable: boolean;
  log: Logger;
}

/**
 * The data folder of this home with its password, made by `initdb` when there is none, and put right when the home was
 * moved or copied. A server that still runs on it is stopped.
 * @throws WarrenError CONFLICT when the record and the data do not belong together, with what to do.
 */
export async function openCluster(home: string, tools: ClusterTools): Promise<ClusterRecord> {
  mkdirSync(home, { recursive: true });
  const record = await findCluster(home, tools);
  if (record === null) return createCluster(home, tools);
  const { dataFolder } = record;
  const versionFile = join(dataFolder, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new WarrenError('CONFLICT', `the database folder ${dataFolder} is gone; ${bringBack(home)}`);
  }
  const made = readFileSync(versionFile, 'utf8').trim();
  const major = tools.binaries.version.split('.')[0];
  if (made !== major) {
    const advice = `use the Warren that made it for \`warren backup\`, then this one in another home for \`warren restore\``;
    throw new WarrenError('CONFLICT', `${dataFolder} is of PostgreSQL ${made}, Warren brings ${major}; ${advice}`);
  }
  await stopLeftover(dataFolder, tools.log);
  return settleCluster(home, record, tools);
}

/** The cluster that this home has; null when one is to be made. */
async function findCluster(home: string, tools: ClusterTools): Promise<ClusterRecord | null> {
  const record = readClusterRecord(home);
  if (record === 'damaged' || record === null) return recoverCluster(home, { ...tools, isDamaged: record !== null });
  if (isInside(home, record.dataFolder)) return record;
  const original = ownerElsewhere(home, record.dataFolder);
  if (original === null) return record;
  const copied = copyOuterCluster(home, record, tools.account);
  if (copied !== null) {
    tools.log.warn(
      `${home} is a copy of ${original}, whose database lies outside of it, in ${record.dataFolder}: that was copied, too, to ${copied.dataFolder}`,
    );
    return copied;
  }
  tools.log.warn(
    `${home} is a copy of ${original}, whose database lies outside of it, in ${record.dataFolder}, and is in use: the ` +
      'copy begins with an empty database of its own; to bring the runs over, `warren backup FILE` there and ' +
      '`warren restore FILE` here',
  );
  return null;
}

/**
 * The data of a home whose record is damaged or missing, with a new password; null when there are none. What is damaged is
 * kept.
 */
async function recoverCluster(
  home: string,
  { isDamaged, ...tools }: ClusterTools & { isDamaged: boolean },
): Promise<ClusterRecord | null> {
  const dataFolder = usedDataFolders(home, tools.account, isDamaged)[0];
  if (dataFolder === undefined) {
    if (!isDamaged) return null;
    throw new WarrenError(
      'CONFLICT',
      `${recordPath(home)} is empty or torn, and so its database cannot be found; ${bringBack(home)}`,
    );
  }
  await stopLeftover(dataFolder, tools.log);
  takeOver(dataFolder, tools.account);
  const superuserPassword = newPassword();
  await setPassword(dataFolder, tools, { role: SUPERUSER, password: superuserPassword });
  const kept = isDamaged ? `was empty or torn (kept as ${keepDamagedRecord(home)})` : 'was missing';
  const record: ClusterRecord = { dataFolder, password: newPassword(), port: null, superuserPassword };
  writeClusterRecord(home, record);
  tools.log.warn(`${recordPath(home)} ${kept}: the database in ${dataFolder} is whole and has a new password`);
  return record;
}

function bringBack(home: string): string {
  const path = recordPath(home);
  return `bring it back; or, to begin with an empty database, rename ${path} (keep it: it holds the password of the old one)`;
}

/**
 * Data folders of this home on which a server has run: without `postmaster.opts`, which it writes when it starts, an
 * interrupted first start left the folder, and it is empty.
 * @param isDamaged Whether those outside of the home are looked for, too.
 */
function usedDataFolders(home: string, account: PostgresAccount, isDamaged: boolean): string[] {
  const outer = isDamaged && account !== null ? systemFolder(account) : null;
  const owned = outer === null ? [] : readdirSync(outer).map((name) => join(outer, name));
  return [innerDataFolder(home), ...owned.filter((folder) => isOwnedBy(home, folder))].filter((folder) =>
    existsSync(join(folder, 'postmaster.opts')),
  );
}

async function createCluster(home: string, { binaries, account, durable }: ClusterTools): Promise<ClusterRecord> {
  const isInner = canEnter(home, account);
  const dataFolder = isInner ? innerDataFolder(home) : join(systemFolder(account), randomUUID());
  const superuserPassword = newPassword();
  const partial = `${dataFolder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  if (account !== null) chownSync(partial, account.uid, account.gid);
  // One call for the whole file system where there is one, instead of one for each of a thousand files.
  const sync = durable ? (process.platform === 'linux' ? ['--sync-method=syncfs'] : []) : ['--no-sync'];
  await runInitdb(binaries.initdb, [`--pgdata=${partial}`, ...sync], {
    password: superuserPassword,
    account,
    folder: partial,
  });
  rmSync(dataFolder, { recursive: true, force: true });
  renameSync(partial, dataFolder);
  if (!isInner) writeOwner(home, dataFolder, account);
  const record: ClusterRecord = { dataFolder, password: newPassword(), port: null, superuserPassword };
  writeClusterRecord(home, record);
  return record;
}
