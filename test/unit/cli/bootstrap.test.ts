import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { waitUntil } from '#test/integration/support/waitUntil.ts';

/** Stands for npm: unpacks two packages, and does not look again at a package whose folder is there, as npm does. */
const NPM = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
for (const name of ['one', 'two']) {
  const folder = 'node_modules/' + name;
  if (existsSync(folder)) continue;
  mkdirSync(folder, { recursive: true });
  if (name === 'two' && process.env.HANG === '1') setInterval(() => {}, 60_000);
  else writeFileSync(folder + '/index.js', '');
}
`;

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'warren-checkout-'));
  mkdirSync(join(checkout, 'src', 'cli'), { recursive: true });
  for (const name of ['bootstrap.mjs', 'lock.mjs']) {
    cpSync(join(projectRoot(), 'src', 'cli', name), join(checkout, 'src', 'cli', name));
  }
  writeFileSync(join(checkout, 'src', 'cli', 'build.mjs'), 'export async function build() {}');
  writeFileSync(join(checkout, 'npm.mjs'), NPM);
  writeFileSync(join(checkout, 'package-lock.json'), '{"version": 1}');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function start(variables: Record<string, string> = {}) {
  return spawn(process.execPath, [join(checkout, 'src', 'cli', 'bootstrap.mjs'), 'build'], {
    env: { ...process.env, npm_execpath: join(checkout, 'npm.mjs'), ...variables },
    stdio: 'ignore',
    detached: true,
  });
}

const installed = (name: string) => existsSync(join(checkout, 'node_modules', name, 'index.js'));
const build = () => new Promise((resolve) => start().once('exit', resolve));

it('runs commands where they were called, with the home of its own folder', () => {
  mkdirSync(join(checkout, 'dist'));
  mkdirSync(join(checkout, 'elsewhere'));
  const says = 'console.log(JSON.stringify([process.cwd(), process.env.WARREN_HOME]))';
  writeFileSync(join(checkout, 'dist', 'cli.js'), says);
  const at = (cwd: string, variables: Record<string, string>): unknown => {
    const parameters = [join(checkout, 'src', 'cli', 'bootstrap.mjs'), 'ls'];
    const env = { PATH: process.env.PATH, npm_execpath: join(checkout, 'npm.mjs'), ...variables };
    return JSON.parse(execFileSync(process.execPath, parameters, { cwd, env, encoding: 'utf8' }));
  };
  const [here, elsewhere] = [realpathSync(checkout), realpathSync(join(checkout, 'elsewhere'))];
  expect(at(checkout, { INIT_CWD: elsewhere })).toEqual([elsewhere, join(here, '.warren')]);
  expect(at(checkout, { INIT_CWD: elsewhere, WARREN_HOME: 'other' })).toEqual([elsewhere, join(here, 'other')]);
  expect(at(elsewhere, { INIT_CWD: here })).toEqual([elsewhere, null]);
});

it('begins anew after an installation that was killed midway, the first one or a later one', async () => {
  for (const version of [1, 2]) {
    writeFileSync(join(checkout, 'package-lock.json'), `{"version": ${version}}`);
    if (version === 2) rmSync(join(checkout, 'node_modules', 'two'), { recursive: true });
    const killed = start({ HANG: '1' });
    await waitUntil('the second package', () => existsSync(join(checkout, 'node_modules', 'two')));
    process.kill(-killed.pid!, 'SIGKILL');
    await new Promise((resolve) => killed.once('exit', resolve));
    expect(installed('two')).toBe(false);
    expect(await build()).toBe(0);
    expect([installed('one'), installed('two')]).toEqual([true, true]);
  }
  // What is whole stays.
  writeFileSync(join(checkout, 'node_modules', 'kept'), '');
  expect(await build()).toBe(0);
  expect(existsSync(join(checkout, 'node_modules', 'kept'))).toBe(true);
});

it("takes what the user's own npm has installed whole, and nothing less", async () => {
  const folder = join(checkout, 'node_modules');
  const packages = {
    '': { name: 'warren' },
    'node_modules/one': { version: '1.0.0' },
    'node_modules/three': { version: '3.0.0', optional: true },
  };
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ packages }));
  const installedByHand = (version: string, listed: string) => {
    mkdirSync(join(folder, 'one'), { recursive: true });
    writeFileSync(join(folder, 'one', 'package.json'), JSON.stringify({ version }));
    writeFileSync(join(folder, 'by-hand'), '');
    const list = { packages: { 'node_modules/one': { version: listed } } };
    writeFileSync(join(folder, '.package-lock.json'), JSON.stringify(list));
  };
  installedByHand('1.0.0', '1.0.0');
  expect(await build()).toBe(0);
  expect([existsSync(join(folder, 'by-hand')), installed('two')]).toEqual([true, false]);
  for (const [there, listed] of [
    ['0.9.0', '1.0.0'],
    ['1.0.0', '0.9.0'],
  ] as const) {
    rmSync(folder, { recursive: true });
    installedByHand(there, listed);
    expect(await build()).toBe(0);
    expect([existsSync(join(folder, 'by-hand')), installed('two')]).toEqual([false, true]);
  }
});
