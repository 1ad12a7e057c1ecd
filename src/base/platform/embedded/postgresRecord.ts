import { createHmac, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { APPLICATION_ROLE } from '../postgres/applicationRole.ts';
import { writePrivateFile } from '../files/privateFile.ts';

/** Who owns the cluster. */
export const SUPERUSER = 'warren';

/** What is kept of the embedded server beside its data, in `<home>/postgres.json`, readable by its owner alone. */
const recordSchema = z.object({
  /** Relative to the home, or absolute where the account that runs the server cannot reach the home. */
  dataFolder: z.string().min(1),
  /** Of the application's role. */
  applicationPassword: z.string().min(1).optional(),
  /** Of the superuser, from which the application's was derived: what earlier versions kept. */
  password: z.string().min(1).optional(),
  /** The port of the last start, tried first in the next. */
  port: z.number().int().nullable(),
});

/** The embedded server of a home. */
export interface ClusterRecord {
  /** Absolute. */
  dataFolder: string;
  /** Of the application's role. */
  password: string;
  port: number | null;
  /** Of the superuser, known to the process alone that has just set it: it is written nowhere. */
  superuserPassword?: string;
  /** An earlier version wrote it, with the superuser's password, which is to change. */
  isFormer?: boolean;
}

/** A password for a role: hexadecimal digits. */
export function newPassword(): string {
  return randomBytes(24).toString('hex');
}

export function recordPath(home: string): string {
  return join(home, 'postgres.json');
}

/** Where the data are when the account that runs the server can reach the home. */
export function innerDataFolder(home: string): string {
  return join(home, 'postgres');
}

/** The record of a home: null when there is none, `damaged` when the file is empty, torn or no record. */
export function readClusterRecord(home: string): ClusterRecord | 'damaged' | null {
  const path = recordPath(home);
  if (!existsSync(path)) return null;
  try {
    const record = recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const { applicationPassword, password: former, port } = record;
    const password = applicationPassword ?? (former === undefined ? undefined : formerApplicationPassword(former));
    if (password === undefined) return 'damaged';
    return { password, port, dataFolder: locate(home, record.dataFolder), isFormer: former !== undefined };
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof z.ZodError) return 'damaged';
    throw thrown;
  }
}

export function writeClusterRecord(home: string, { dataFolder: folder, password, port }: ClusterRecord): void {
  const inside = relative(home, folder);
  const dataFolder = leavesFolder(inside) ? folder : inside;
  const record = { dataFolder, applicationPassword: password, port };
  writePrivateFile(recordPath(home), `${JSON.stringify(record, null, 2)}\n`);
}

/** Earlier versions kept the superuser's password, and made the application's of it. */
function formerApplicationPassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(APPLICATION_ROLE).digest('hex').slice(0, 48);
}

/** Keeps a copy of a damaged record, to be looked at. Returns where. */
export function keepDamagedRecord(home: string): string {
  const kept = `${recordPath(home)}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  copyFileSync(recordPath(home), kept);
  return kept;
}

/** Whether the data lie in the home itself, links followed: then they are moved and copied with it. */
export function isInside(home: string, dataFolder: string): boolean {
  return !leavesFolder(relative(realPath(home), realPath(dataFolder)));
}

function leavesFolder(path: string): boolean {
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** Earlier versions wrote the absolute path of a data folder in the home: once the home has moved, it is that of another. */
function locate(home: string, recorded: string): string {
  const inner = innerDataFolder(home);
  const isInner = isAbsolute(recorded) && basename(recorded) === basename(inner);
  if (isInner && (existsSync(inner) || existsSync(recordPath(dirname(recorded))))) return inner;
  return resolve(home, recorded);
}
