import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { cutLog, keepLogBounded } from '#src/base/platform/files/boundedLog.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

const path = join(temporaryFolder(), 'api.log');

test('a log that has grown too large is put aside while its program goes on writing', async () => {
  expect(await cutLog(path, 100)).toBe(false);
  const writer = await open(path, 'a', 0o600);
  await writer.write('a line\n'.repeat(10));
  expect(await cutLog(path, 100)).toBe(false);
  await writer.write('a line\n'.repeat(10));
  expect(await cutLog(path, 100)).toBe(true);
  await writer.write('the next\n');
  expect(readFileSync(path, 'utf8')).toBe('the next\n');
  expect(readFileSync(`${path}.old`, 'utf8')).toBe('a line\n'.repeat(20));
  expect(statSync(`${path}.old`).mode & 0o777).toBe(0o600);

  const end = keepLogBounded(path, { maximumBytes: 20, everyMs: 5 });
  await writer.write('more of it\n'.repeat(2));
  await vi.waitFor(() => expect(readFileSync(`${path}.old`, 'utf8')).toBe('the next\nmore of it\nmore of it\n'));
  await vi.waitFor(() => expect(statSync(path).size).toBe(0));
  end();
  await writer.close();
});
