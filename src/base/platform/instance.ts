import { linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { WarrenError } from '../contracts/errors.ts';
import { folderIdentity } from './files/folderIdentity.ts';
import { startTimeOf } from './processes/otherProcess.ts';
import { writePrivateFile } from './files/privateFile.ts';
import { isAlive } from './processes/processTree.ts';

const addressesSchema = z.object({
  /** Where the API answers, from this machine. */
  apiUrl: z.string(),
  databaseUrl: z.string(),
  redisUrl: z.string().nullable(),
  /** Process of the embedded PostgreSQL; null when the database is another's. */
  postgresPid: z.number().nullable(),
  /** For the command line and workers of this home, when the API asks for one. */
  token: z.string().optional(),
  /** Whether the API asks its callers for tokens. Earlier versions wrote none. */
  asksTokens: z.boolean().optional(),
});

const holderSchema = z.object({
  pid: z.number().int(),
  /** ISO 8601. */
  startedAt: z.string(),
  /** Tells the process from a later one with the same id; null where the system does not. */
  processStart: z.string().nullable(),
  /** `folderIdentity` of the home: its copy is not held. Earlier versions wrote none. */
  folder: z.string().nullable().optional(),
});

const instanceSchema = addressesSchema.extend(holderSchema.shape);

/** What `warren up` tells the other processes of its home. */
export type InstanceAddresses = z.infer<typeof addressesSchema>;
export type Instance = z.infer<typeof instanceSchema>;
type Holder = z.infer<typeof holderSchema>;

export interface InstanceClaim {
  /** Writes `instance.json`, readable by its owner alone; again when something changes. */
  write(addresses: InstanceAddresses): Promise<void>;
  /** Removes `instance.json` and the lock. */
  release(): Promise<void>;
}

const instancePath = (home: string): string => join(home, 'instance.json');
const lockPath = (home: string): string => join(home, 'up.lock');

/** The Warren that runs in this home, or null; what one that was killed has left is ignored. */
export async function readInstance(home: string): Promise<Instance | null> {
  const instance = parseFile(instancePath(home), instanceSchema);
  return instance !== null && holds(instance, home) ? instance : null;
}

/**
 * The token of the Warren that runs here for an API of this address; null for any other, which is not to see it.
 * @param apiUrl Null: the API of that Warren itself.
 */
export function tokenFor(apiUrl: string | null, instance: Pick<Instance, 'apiUrl' | 'token'> | null): string | null {
  if (instance === null || (apiUrl !== null && placeOf(apiUrl) !== placeOf(instance.apiUrl))) return null;
  return instance.token ?? null;
}

/** Where an address leads; the names of this machine's own loopback are one. */
function placeOf(address: string): string {
  const { protocol, hostname, port, pathname } = new URL(address);
  const host = ['localhost', '[::1]'].includes(hostname) ? '127.0.0.1' : hostname;
  return `${protocol}//${host}:${port}${pathname.replace(/\/+$/, '')}`;
}

/**
 * Takes a home for this process: two in one home would start two servers on the same data.
 * @throws WarrenError CONFLICT that names the process which has it.
 */
export async function claimInstance(home: string): Promise<InstanceClaim> {
  mkdirSync(home, { recursive: true });
  const holder: Holder = {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    processStart: startTimeOf(process.pid),
    folder: folderIdentity(home),
  };
  takeLock(home, holder);
  return {
    write: async (addresses) => writePrivateFile(instancePath(home), asText({ ...addresses, ...holder })),
    release: async () => {
      if (parseFile(lockPath(home), holderSchema)?.pid !== process.pid) return;
      rmSync(instancePath(home), { force: true });
      rmSync(lockPath(home), { force: true });
    },
  };
}

function takeLock(home: string, holder: Holder): void {
  const own = `${lockPath(home)}.${holder.pid}`;
  writePrivateFile(own, asText(holder));
  try {
    for (;;) {
      if (linkIfAbsent(own, lockPath(home))) return;
      refuseFolder(lockPath(home));
      const other = parseFile(lockPath(home), holderSchema);
      if (other !== null && holds(other, home)) throw taken(home, other);
      removeStale(home, other);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** @throws WarrenError CONFLICT where a folder is in the place of the lock: somebody else made it. */
function refuseFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new WarrenError(
    'CONFLICT',
    `${path} is a folder; Warren keeps a file of that name there: move the folder away`,
  );
}

/** Moves the lock of a dead process away; puts it back when, in the meantime, a living one has taken its place. */
function removeStale(home: string, stale: Holder | null): void {
  const aside = `${lockPath(home)}.stale.${process.pid}`;
  try {
    renameSync(lockPath(home), aside);
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return;
    throw thrown;
  }
  const moved = parseFile(aside, holderSchema);
  if (moved !== null && holds(moved, home) && moved.startedAt !== stale?.startedAt) linkIfAbsent(aside, lockPath(home));
  rmSync(aside, { force: true });
}

/** A hard link is made whole or not at all, and never over another file. */
function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false;
    throw thrown;
  }
}

function taken(home: string, { pid, startedAt }: Holder): WarrenError {
  const since = new Date(startedAt).toTimeString().slice(0, 8);
  const advice = 'stop it (Ctrl-C there), or set WARREN_HOME to another folder';
  return new WarrenError('CONFLICT', `Warren runs already in ${home} (process ${pid}, since ${since}); ${advice}`);
}

/** Whether that process runs and holds this very folder, not the one that it was copied from. */
function holds({ pid, processStart, folder }: Holder, home: string): boolean {
  if (folder !== undefined && folder !== null && folder !== folderIdentity(home)) return false;
  return processStart === null ? isAlive(pid) : startTimeOf(pid) === processStart;
}

function parseFile<T>(path: string, schema: z.ZodType<T>): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function asText(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
