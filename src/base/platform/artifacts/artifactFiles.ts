import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import { isAlive } from '../processes/processTree.ts';
import { digestOf } from './verifiedContent.ts';

const SHA256 = /^[0-9a-f]{64}$/;
const PREFIX = /^[0-9a-f]{2}$/;
const HOST = encodeURIComponent(hostname());
/** Nothing was written for so long: whoever received it has gone. */
export const ABANDONED_MS = 24 * 60 * 60 * 1_000;
/** The same where its process is known to have ended; machines with one name may share a folder. */
const ORPHAN_MS = 20_000;

/** Uploads that this process is receiving. */
const receiving = new Set<string>();

/** Two levels, so that no folder holds too many. @throws WarrenError BAD_INPUT for a name that is no sha256. */
export function contentPath(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), checkedDigest(sha256));
}

/** Where damaged content is kept for a person to look at. */
export function damagedPath(folder: string, sha256: string): string {
  return join(folder, 'damaged', checkedDigest(sha256));
}

export function checkedDigest(sha256: string): string {
  if (!SHA256.test(sha256)) throw badInput('expected 64 lower-case hexadecimal digits', 'sha256');
  return sha256;
}

export function incomingFolder(folder: string): string {
  return join(folder, 'incoming');
}

/** A name for an upload of this process. `done` is called when nothing has it any more. */
export function incomingName(): { name: string; done(): void } {
  const name = `${HOST}~${process.pid}~${randomUUID()}`;
  receiving.add(name);
  return { name, done: () => receiving.delete(name) };
}

/** A place for an upload of this process. */
export function incomingFile(folder: string): { path: string; done(): void } {
  const { name, done } = incomingName();
  return { path: join(incomingFolder(folder), name), done };
}

/** Size in bytes and age in milliseconds since it was written; null when there is no such file. */
export async function fileFacts(path: string): Promise<{ sizeBytes: number; ageMs: number } | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { sizeBytes: size, ageMs: Date.now() - mtimeMs };
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}

export function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
}

/**
 * Moves damaged content aside, so that it is served no more. What was stored again meanwhile is right, and goes back.
 * Nothing happens when it is not there any more.
 */
export async function setAside(folder: string, sha256: string): Promise<void> {
  const [path, aside] = [contentPath(folder, sha256), damagedPath(folder, sha256)];
  await mkdir(dirname(aside), { recursive: true });
  try {
    await rename(path, aside);
    if ((await digestOf(aside)) === sha256) await rename(aside, path);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

/** The sha256 of all content, folder by folder; with what was set aside as damaged. */
export async function* listContent(folder: string): AsyncGenerator<{ names: string[]; damaged: boolean }> {
  for (const prefix of await namesIn(folder)) {
    if (prefix !== 'damaged' && !PREFIX.test(prefix)) continue;
    const names = (await namesIn(join(folder, prefix))).filter((name) => SHA256.test(name));
    if (names.length > 0) yield { names, damaged: prefix === 'damaged' };
  }
}

/** Removes uploads that no living process receives: soon where that can be known, after a day otherwise. */
export async function removeAbandoned(folder: string, evenYoung = false): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 };
  for (const name of await namesIn(incomingFolder(folder))) {
    const path = join(incomingFolder(folder), name);
    const facts = await fileFacts(path);
    if (facts === null || (!evenYoung && facts.ageMs < abandonedAfterMs(name))) continue;
    await rm(path, { force: true });
    removed.files += 1;
    removed.bytes += facts.sizeBytes;
  }
  return removed;
}

/** From which age in milliseconds an upload of this name is taken for one that nobody receives any more. */
export function abandonedAfterMs(name: string): number {
  return isOrphan(name) ? ORPHAN_MS : ABANDONED_MS;
}

/** Whether the process of this host that received the upload has ended. */
function isOrphan(name: string): boolean {
  const [host, pidText] = name.split('~');
  const pid = Number(pidText);
  if (host !== HOST || !Number.isSafeInteger(pid)) return false;
  return pid === process.pid ? !receiving.has(name) : !isAlive(pid);
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((thrown: unknown) => {
    if (isMissing(thrown) || (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOTDIR')) return [];
    throw thrown;
  });
}
