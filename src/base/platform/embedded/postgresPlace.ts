import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  fchmodSync,
  fstatSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Logger } from '../logger.ts';
import { canEnter, type PostgresAccount } from './postgresAccount.ts';
import { writeOwner } from './postgresOwner.ts';
import { type ClusterRecord, isInside, writeClusterRecord } from './postgresRecord.ts';

/**
 * A folder that the account can reach, for data and programs that it cannot reach where they are.
 * @throws WarrenError UNAVAILABLE when there is none.
 */
export function systemFolder(account: PostgresAccount): string {
  for (const folder of ['/var/lib/warren', join(tmpdir(), 'warren')]) {
    try {
      mkdirSync(folder, { recursive: true });
      if (openFolderToAll(folder) && canEnter(folder, account)) return folder;
    } catch {
      // Not writable: the next one.
    }
  }
  const advice = 'set WARREN_HOME to a folder that the user "postgres" can reach';
  throw new WarrenError('UNAVAILABLE', `no place for the embedded PostgreSQL; ${advice}`);
}

/** Lets everybody into a folder of ours; false for one of somebody else. Throws for a link, which anybody can make in `/tmp`. */
export function openFolderToAll(folder: string): boolean {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const descriptor = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    if (fstatSync(descriptor).uid !== process.getuid?.()) return false;
    fchmodSync(descriptor, 0o755);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** Puts right what moving or copying a home may have changed: owner and mode of the data, and whether they can be reached. */
export function settleCluster(
  home: string,
  record: ClusterRecord,
  { account, log }: { account: PostgresAccount; log: Logger },
): ClusterRecord {
  takeOver(record.dataFolder, account);
  if (isInside(home, record.dataFolder)) {
    if (canEnter(home, account)) return record;
    const dataFolder = join(systemFolder(account), randomUUID());
    log.warn(`the user "postgres" cannot reach ${record.dataFolder}: the database moves to ${dataFolder}`);
    const partial = `${dataFolder}.partial`;
    cpSync(record.dataFolder, partial, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    takeOver(partial, account);
    renameSync(partial, dataFolder);
    writeOwner(home, dataFolder, account);
    writeClusterRecord(home, { ...record, dataFolder });
    rmSync(record.dataFolder, { recursive: true });
    return { ...record, dataFolder };
  }
  writeOwner(home, record.dataFolder, account);
  return record;
}

/**
 * A copy of data that lie outside of their home, for the copy of that home; null while a server uses them, for what is copied then may be
 * torn.
 */
export function copyOuterCluster(home: string, record: ClusterRecord, account: PostgresAccount): ClusterRecord | null {
  const isUsed = () => existsSync(join(record.dataFolder, 'postmaster.pid'));
  if (isUsed()) return null;
  const dataFolder = join(systemFolder(account), randomUUID());
  const partial = `${dataFolder}.partial`;
  cpSync(record.dataFolder, partial, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  if (isUsed()) {
    rmSync(partial, { recursive: true });
    return null;
  }
  takeOver(partial, account);
  renameSync(partial, dataFolder);
  writeOwner(home, dataFolder, account);
  const copied = { ...record, dataFolder };
  writeClusterRecord(home, copied);
  return copied;
}

/** Makes the data the account's own and nobody else's to read, as PostgreSQL demands. */
export function takeOver(dataFolder: string, account: PostgresAccount): void {
  const { uid, mode } = statSync(dataFolder);
  if (account !== null && uid !== account.uid) {
    for (const name of ['', ...readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })]) {
      lchownSync(join(dataFolder, name), account.uid, account.gid);
    }
  }
  const isOurs = account !== null || uid === process.getuid?.();
  if (isOurs && (mode & 0o027) !== 0) chmodSync(dataFolder, 0o700);
}
