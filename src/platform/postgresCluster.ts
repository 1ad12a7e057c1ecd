import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { WarrenError } from '../contracts/errors.ts';
import { canEnter, type PostgresAccount } from './postgresAccount.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';

export const SUPERUSER = 'warren';

const recordSchema = z.object({
  /** Where the data are: in `home`, unless the account that runs the server cannot reach it. */
  dataFolder: z.string(),
  password: z.string(),
  /** The port of the last start, tried first in the next. */
  port: z.number().nullable(),
});

/** What is kept of the embedded server beside its data, in `<home>/postgres.json`, readable by its owner alone. */
export type ClusterRecord = z.infer<typeof recordSchema>;

function recordPath(home: string): string {
  return join(home, 'postgres.json');
}

export function writeClusterRecord(home: string, record: ClusterRecord): void {
  const partial = `${recordPath(home)}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, recordPath(home));
}

/**
 * The data folder of this home with its password, made by `initdb` when there is none.
 * @throws WarrenError CONFLICT when the record and the data do not belong together, with what to do.
 */
export async function openCluster(
  home: string,
  { binaries, account, durable }: { binaries: PostgresBinaries; account: PostgresAccount; durable: boolean },
): Promise<ClusterRecord> {
  mkdirSync(home, { recursive: true });
  const path = recordPath(home);
  if (!existsSync(path)) return createCluster(home, { binaries, account, durable });
  const record = recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const versionFile = join(record.dataFolder, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    const advice = `bring it back, or remove ${path} to begin with an empty database`;
    throw new WarrenError('CONFLICT', `the database folder ${record.dataFolder} is gone; ${advice}`);
  }
  const made = readFileSync(versionFile, 'utf8').trim();
  const major = binaries.version.split('.')[0];
  if (made !== major) {
    const advice = `dump it with that version and load it into the new one, or remove ${path} to begin with an empty database`;
    throw new WarrenError(
      'CONFLICT',
      `${record.dataFolder} is of PostgreSQL ${made}, Warren brings ${major}; ${advice}`,
    );
  }
  return record;
}

async function createCluster(
  home: string,
  { binaries, account, durable }: { binaries: PostgresBinaries; account: PostgresAccount; durable: boolean },
): Promise<ClusterRecord> {
  const dataFolder = canEnter(home, account) ? join(home, 'postgres') : join(systemFolder(account), randomUUID());
  // The server writes this file when it starts: without it, an interrupted first start left the folder, and it is empty.
  if (existsSync(join(dataFolder, 'postmaster.opts'))) {
    const advice = `bring back ${recordPath(home)}, which holds its password, or remove the folder to begin with an empty database`;
    throw new WarrenError('CONFLICT', `${dataFolder} is there without its record; ${advice}`);
  }
  const password = randomBytes(24).toString('hex');
  const partial = `${dataFolder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  if (account !== null) chownSync(partial, account.uid, account.gid);
  // One call for the whole file system where there is one, instead of one for each of a thousand files.
  const sync = durable ? (process.platform === 'linux' ? ['--sync-method=syncfs'] : []) : ['--no-sync'];
  await runInitdb(binaries.initdb, [`--pgdata=${partial}`, ...sync], { password, account, folder: partial });
  rmSync(dataFolder, { recursive: true, force: true });
  renameSync(partial, dataFolder);
  const record: ClusterRecord = { dataFolder, password, port: null };
  writeClusterRecord(home, record);
  return record;
}

/**
 * A folder that the account can reach, for data and programs that it cannot reach where they are.
 * @throws WarrenError UNAVAILABLE when there is none.
 */
export function systemFolder(account: PostgresAccount): string {
  for (const folder of ['/var/lib/warren', join(tmpdir(), 'warren')]) {
    try {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
      if (statSync(folder).uid === process.getuid?.() && canEnter(folder, account)) return folder;
    } catch {
      // Not writable: the next one.
    }
  }
  const advice = 'set WARREN_HOME to a folder that the user "postgres" can reach';
  throw new WarrenError('UNAVAILABLE', `no place for the embedded PostgreSQL; ${advice}`);
}

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
    await new Promise<void>((resolve, reject) => {
      const child = spawn(initdb, [...args, ...locale, ...access], {
        cwd: folder,
        env: { ...process.env, LC_ALL: 'C' },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        ...account,
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += String(chunk);
        });
      }
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve();
        else reject(new WarrenError('UNAVAILABLE', `initdb failed: ${output.trim().split('\n').slice(-6).join('; ')}`));
      });
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
