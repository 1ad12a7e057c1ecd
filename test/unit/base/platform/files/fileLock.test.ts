import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFileLock } from '#src/base/platform/files/fileLock.ts';
import { newFolder } from '#test/unit/data/dataFiles.ts';

const newLock = (): string => join(newFolder(), 'inside', 'a.lock');

test('one at a time works, whoever asks, and the lock is gone afterwards', async () => {
  const path = newLock();
  let [inside, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withFileLock(path, work)));
  expect(most).toBe(1);
  expect(existsSync(path)).toBe(false);
});

test('work that fails gives the lock back', async () => {
  const path = newLock();
  const failing = withFileLock(path, async () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await withFileLock(path, async () => 'yes')).toBe('yes');
});

test.each([
  ['of a process of this machine that is gone', `${hostname()} 999999999 x`, 0],
  ['that another machine has not touched for a minute', 'elsewhere 1 x', 61],
])('a lock %s is taken over', async (_, holder, seconds) => {
  const path = join(newFolder(), 'a.lock');
  writeFileSync(path, holder);
  const touched = new Date(Date.now() - 1000 * seconds);
  utimesSync(path, touched, touched);
  expect(await withFileLock(path, async () => 'done')).toBe('done');
});

test('waiting for a living one can be cancelled', async () => {
  const path = join(newFolder(), 'a.lock');
  writeFileSync(path, `${hostname()} ${process.pid} x`);
  const cancelling = new AbortController();
  const options = { signal: cancelling.signal, onWait: () => cancelling.abort() };
  await expect(withFileLock(path, async () => 'done', options)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(existsSync(path)).toBe(true);
});
