import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findPackageFile } from '#workers/runtime/commands/packageFiles.ts';

const root = mkdtempSync(join(tmpdir(), 'warren-packages-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a lock comes first, with all that decides what is installed, and one of local files is known', async () => {
  const [inner, outer] = ['inner', 'outer'].map((name) => join(root, name));
  for (const folder of [inner!, outer!]) mkdirSync(folder);
  const look = () => findPackageFile([inner!, outer!]);
  expect(await look()).toBeNull();
  writeFileSync(join(outer!, 'pyproject.toml'), 'project');
  writeFileSync(join(outer!, 'requirements.txt'), 'six\n');
  expect(await look()).toMatchObject({ name: 'requirements.txt', folder: outer, isLocal: false });
  writeFileSync(join(outer!, 'uv.lock'), 'source = { virtual = "." }\n');
  expect(await look()).toMatchObject({ name: 'uv.lock', isLocal: false });
  expect((await look())?.texts).toEqual(['source = { virtual = "." }\n', 'project', '']);
  writeFileSync(join(outer!, 'uv.lock'), 'source = { editable = "." }\n');
  expect(await look()).toMatchObject({ isLocal: true });
  writeFileSync(join(inner!, 'requirements.txt'), './wheels/six.whl\n');
  expect(await look()).toMatchObject({ folder: inner, isLocal: true });
});

test('a device in place of a file is none, nor is one that is larger than any list of packages', async () => {
  const folder = join(root, 'devices');
  mkdirSync(folder);
  symlinkSync('/dev/zero', join(folder, 'uv.lock'));
  writeFileSync(join(folder, 'requirements.txt'), '');
  truncateSync(join(folder, 'requirements.txt'), 1 << 30);
  writeFileSync(join(folder, 'pyproject.toml'), '[project]\n');
  expect(await findPackageFile([folder])).toMatchObject({ name: 'pyproject.toml' });
});
