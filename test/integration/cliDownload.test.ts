import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun } from './support/externalRunCalls.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren } from './support/warrenCommand.ts';

const api = await apiForTests();
const warren = (...parameters: string[]) => runWarren(parameters, { WARREN_API_URL: api.url });

it('writes files of a run into a folder, all or by name, and over none that is another', async () => {
  const run = await createExternalRun(api);
  const put = (name: string, body: string) => fetch(`${api.url}/artifacts/${run}/${name}`, { method: 'PUT', body });
  for (const [name, body] of [
    ['model.txt', 'weights'],
    ['out/a%20b.txt', 'a'],
    ['out/deep/c.txt', 'c'],
  ] as const) {
    expect((await put(name, body)).status).toBe(201);
  }
  const folder = temporaryFolder();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const named = await warren('download', run, 'out/', '--output', folder);
  expect(named.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/out\/a b\.txt {2}1 B$/),
    expect.stringMatching(/out\/deep\/c\.txt {2}1 B$/),
  ]);
  expect([read('out/a b.txt'), read('out/deep/c.txt')]).toEqual(['a', 'c']);
  const all = await warren('download', run, '--output', folder);
  expect(all.stdout).toMatch(/model\.txt {2}7 B\n.*a b\.txt {2}is here already\n/);
  writeFileSync(join(folder, 'model.txt'), 'my own');
  const refused = await warren('download', run, 'model.txt', '--output', folder);
  expect([refused.code, read('model.txt')]).toEqual([2, 'my own']);
  expect(refused.stderr).toContain('is there with another content: --force writes over it');
  expect((await warren('download', run, 'model.txt', '--output', folder, '--force')).code).toBe(0);
  expect(read('model.txt')).toBe('weights');
  const unknown = await warren('download', run, 'modl.txt');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "model.txt"?')]);
  mkdirSync(join(folder, 'taken', 'model.txt'), { recursive: true });
  const folderThere = await warren('download', run, 'model.txt', '--force', '--output', join(folder, 'taken'));
  expect(folderThere.stderr).toContain('is there and is no file');
});
