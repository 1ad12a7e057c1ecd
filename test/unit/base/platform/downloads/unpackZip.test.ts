import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundlePrograms } from '#src/cli/build.mjs';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { unpackZip } from '#src/base/platform/downloads/unpackZip.ts';
import { newFolder } from '#test/unit/data/dataFiles.ts';
import { type ZipMember, zipOf } from './zipForTests.ts';

function archiveOf(members: readonly ZipMember[]): { archive: string; folder: string } {
  const archive = join(newFolder(), 'a.zip');
  writeFileSync(archive, zipOf(members));
  return { archive, folder: newFolder() };
}

const MEMBERS = { 'ml/ratings.dat': 'ml-ratings.dat' };
const LIMIT = 1_000_000;

test('takes what is wanted out, under the names given, and nothing else', async () => {
  const { archive, folder } = archiveOf([
    { name: 'ml/README', content: 'no' },
    { name: 'ml/ratings.dat', content: '1::2::3::4\n' },
  ]);
  await unpackZip(archive, folder, { members: MEMBERS, maximumBytes: LIMIT });
  expect(readdirSync(folder)).toEqual(['ml-ratings.dat']);
  expect(readFileSync(join(folder, 'ml-ratings.dat'), 'utf8')).toBe('1::2::3::4\n');
});

test('a member may lie deeper than its name says', async () => {
  const { archive, folder } = archiveOf([{ name: 'x/y/ml/ratings.dat', content: 'deep' }]);
  await unpackZip(archive, folder, { members: MEMBERS, maximumBytes: LIMIT });
  expect(readFileSync(join(folder, 'ml-ratings.dat'), 'utf8')).toBe('deep');
});

test.each(['../../ml/ratings.dat', '/ml/ratings.dat', '..\\ml/ratings.dat'])('%s is refused', async (name) => {
  const { archive, folder } = archiveOf([{ name, content: 'out' }]);
  await expect(unpackZip(archive, folder, { members: MEMBERS, maximumBytes: LIMIT })).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringContaining(archive),
  });
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(join(folder, '..', '..', 'ml'))).toBe(false);
});

test('more than the limit is refused, whatever the archive claims', async () => {
  const content = Buffer.alloc(LIMIT + 1);
  for (const member of [
    { name: 'ml/ratings.dat', content },
    { name: 'ml/ratings.dat', content, claimedSize: 10 },
  ]) {
    const { archive, folder } = archiveOf([member]);
    await expect(unpackZip(archive, folder, { members: MEMBERS, maximumBytes: LIMIT })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('a missing member, and a file that is no zip, are refused', async () => {
  const { archive, folder } = archiveOf([{ name: 'ml/other.dat', content: 'x' }]);
  await expect(unpackZip(archive, folder, { members: MEMBERS, maximumBytes: LIMIT })).rejects.toThrow(
    /does not hold ml\/ratings\.dat/,
  );
  writeFileSync(archive, 'no zip at all');
  await expect(unpackZip(archive, folder, { members: MEMBERS, maximumBytes: LIMIT })).rejects.toMatchObject({
    code: 'DATA_ERROR',
  });
});

test('the built program unpacks, too', async () => {
  const { archive, folder } = archiveOf([{ name: 'ml/ratings.dat', content: '1::2::3::4\n' }]);
  const built = newFolder();
  await bundlePrograms(projectRoot(), {
    folder: built,
    entryPoints: { unpackZip: 'src/base/platform/downloads/unpackZip.ts' },
  });
  const program: { unpackZip: typeof unpackZip } = await import(join(built, 'unpackZip.js'));
  await program.unpackZip(archive, folder, { members: MEMBERS, maximumBytes: LIMIT });
  expect(readFileSync(join(folder, 'ml-ratings.dat'), 'utf8')).toBe('1::2::3::4\n');
});
