import { copyFileSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../files/privateFile.ts';

/** Who owns the cluster, and whose password the record has. */
export const SUPERUSER = 'warren';

/** What is kept of the embedded server beside its data, in `<home>/postgres.json`, readable by its owner alone. */
const recordSchema = z.object({
  /** Relative to the home, or absolute where the account that runs the server cannot reach the home. */
  dataFolder: z.string().min(1),
  password: z.string().min(1),
  /** The port of the last start, tried first in the next. */
  port: z.number().int().nullable(),
});

/** The embedded server of a home. */
export interface ClusterRecord {
  /** Absolute. */
  dataFolder: string;
  password: string;
  port: number | null;
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
    return { ...record, dataFolder: locate(home, record.dataFolder) };
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof z.ZodError) return 'damaged';
    throw thrown;
  }
}

export function writeClusterRecord(home: string, record: ClusterRecord): void {
  const inside = relative(home, record.dataFolder);
  const dataFolder = leavesFolder(inside) ? record.dataFolder : inside;
  writePrivateFile(recordPath(home), `${JSON.stringify({ ...record, dataFolder }, null, 2)}\n`);
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
