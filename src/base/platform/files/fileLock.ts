import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { isAlive } from '../processes/processTree.ts';

/** The holder touches its lock this often; one that was not touched for `STALE_MS` is that of a dead one. */
const BEAT_MS = 2000;
const STALE_MS = 60_000;
const LOOK_MS = 100;

export interface LockOptions {
  signal?: AbortSignal;
  /** Told once, when another holds the lock. */
  onWait?: () => void;
}

/**
 * Does `work` while holding a lock file, so that of several processes, also on machines that share the folder, one at a time
 * does. The others wait. The lock of a process that is gone is taken over: at once where it ran on this machine, otherwise
 * after a minute. Throws CANCELLED when the signal is aborted while waiting.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const own = `${hostname()} ${process.pid} ${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  for (let looks = 0; !(await take(path, own)); looks++) {
    if (looks === 0) options.onWait?.();
    if (options.signal?.aborted === true)
      throw new WarrenError('CANCELLED', 'cancelled while waiting for another process');
    await removeStale(path);
    await delay(LOOK_MS);
  }
  const beat = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if ((await holderOf(path)) === own) await rm(path, { force: true });
  }
}

async function take(path: string, own: string): Promise<boolean> {
  try {
    await writeFile(path, own, { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
    throw thrown;
  }
}

function holderOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

/** Moves the lock of a dead process away, and puts it back where a living one has taken its place in the meantime. */
async function removeStale(path: string): Promise<void> {
  const holder = await holderOf(path);
  const touched = await stat(path).catch(() => null);
  if (holder === null || touched === null) return;
  const [host, pid] = holder.split(' ');
  const isDead = host === hostname() && pid !== undefined && !isAlive(Number(pid));
  if (!isDead && Date.now() - touched.mtimeMs < STALE_MS) return;
  const aside = `${path}.${randomUUID()}.stale`;
  await rename(path, aside).catch(() => undefined);
  if ((await holderOf(aside)) !== holder) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}
