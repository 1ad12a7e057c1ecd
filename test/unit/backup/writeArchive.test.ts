import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeArchive } from '#src/backup/writeArchive.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

const folder = temporaryFolder();

async function* megabytes(count: number) {
  for (let index = 0; index < count; index++) yield Buffer.alloc(1 << 20);
}

it('says why a file cannot be written, whatever is being added to it', async () => {
  const path = join(folder, 'gone', 'backup.tar');
  const writing = writeArchive(path, async ({ add }) => {
    for (let index = 0; index < 20; index++) await add(`${index}`, 1 << 20, megabytes(1));
  });
  const message = `cannot write ${path}: there is no folder ${join(folder, 'gone')}; no file was left`;
  await expect(writing).rejects.toMatchObject({ code: 'BAD_INPUT', message });
});

it('compresses what is called so', async () => {
  for (const name of ['a.tgz', 'a.tar.gz', 'a.tar']) {
    await writeArchive(join(folder, name), async ({ add }) => add('zeros', 1 << 20, megabytes(1)));
  }
  const compressed = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).readUInt16BE(0) === 0x1f8b);
  expect(compressed.toSorted()).toEqual(['a.tar.gz', 'a.tgz']);
});
