import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '#test/unit/data/dataFiles.ts';
import { isInUse } from '../../../src/cli/inUse.mjs';
import { removeOthers } from '../../../src/cli/removeOthers.mjs';
import { licensesText, packageFolders } from '../../../src/cli/thirdPartyLicenses.mjs';

it('removes what an earlier build has left, and nothing else', () => {
  const folder = newFolder();
  for (const name of ['cli.js', 'chunk-OLD.js', '.built.json']) writeFileSync(join(folder, name), '');
  for (const name of ['web', 'old']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'web', 'index.html'), '');
  writeFileSync(join(folder, 'old', 'index.html'), '');
  removeOthers(folder, ['cli.js', '.built.json', 'web']);
  expect(readdirSync(folder).sort()).toEqual(['.built.json', 'cli.js', 'web']);
  expect(readdirSync(join(folder, 'web'))).toEqual(['index.html']);
});

it('finds the packages of bundled files, those within others too', () => {
  const files = ['src/a.ts', 'node_modules/a/b.js', '/x/node_modules/@s/c/d.js', 'node_modules/a/node_modules/e/f.js'];
  expect(packageFolders([...files, '\0vite/preload-helper.js', '\0rolldown/runtime.js'])).toEqual([
    'node_modules/@s/c',
    'node_modules/a',
    'node_modules/a/node_modules/e',
    'node_modules/rolldown',
    'node_modules/vite',
  ]);
});

it('refuses a package whose license has no text', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'one'));
  const describe = (license: string) =>
    writeFileSync(join(folder, 'one', 'package.json'), JSON.stringify({ name: 'one', version: '1.0.0', license }));
  describe('GPL-3.0');
  expect(() => licensesText(folder, ['one'])).toThrow('one has no text of its license "GPL-3.0"');
  describe('MIT');
  expect(licensesText(folder, ['one'])).toContain('Copyright (c) the authors of one\n\nPermission is hereby granted');
});

it.skipIf(!existsSync('/proc/self/cmdline'))('knows whether a program of a folder runs', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'api.js'), "console.log('up'); setInterval(() => {}, 1_000);");
  expect(isInUse(folder)).toBe(false);
  const program = spawn(process.execPath, [join(folder, 'api.js')], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(program.stdout, 'data');
    expect([isInUse(folder), isInUse(`${folder}-other`)]).toEqual([true, false]);
  } finally {
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
  expect(isInUse(folder)).toBe(false);
});
