import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren } from './support/warrenCommand.ts';

describe('datasets of one’s own', () => {
  const folder = temporaryFolder();
  const environment = { WARREN_HOME: join(folder, 'home'), WARREN_DATA: '' };
  const warren = (...parameters: string[]) => runWarren(parameters, environment);
  const rows = Array.from({ length: 60 }, (_, i) => `u${i % 6};p${(i * 7) % 10};${i}`);
  const good = join(folder, 'clicks.csv');
  const bad = join(folder, 'bad.csv');
  writeFileSync(good, `visitor;product;at\n${rows.join('\n')}\n`);
  writeFileSync(bad, `visitor;product;at\n${rows.join('\n')}\nu1;p1;noon\n;p1;5\n`);
  const map = ['--map', 'user=visitor,item=product,time=at'];

  it('are refused with lines and reasons, and nothing is kept', async () => {
    const { code, stderr } = await warren('data', 'import', 'my-shop', bad, ...map);
    expect(code).toBe(2);
    expect(stderr).toContain('2 lines cannot be read');
    expect(stderr).toContain(
      `${bad}:62: found "noon" in column 3, expected a number as in line 2 ("0"), since a file has one form of times`,
    );
    expect(existsSync(join(folder, 'home', 'data')) ? readdirSync(join(folder, 'home', 'data')) : []).toEqual([]);
  });

  it('are imported leniently, with what was skipped', async () => {
    const { code, stderr, stdout } = await warren('data', 'import', 'my-shop', bad, ...map, '--lenient');
    expect(stderr).toContain('2 lines skipped');
    expect(stdout).toContain('60 interactions');
    expect(code).toBe(0);
  });

  it('are replaced only when that is asked for', async () => {
    expect((await warren('data', 'import', 'my-shop', good, ...map)).stderr).toContain('--replace');
    expect((await warren('data', 'import', 'my-shop', good, ...map, '--replace')).code).toBe(0);
  });

  it('are listed, shown and run on, with what preprocessing did in the record', async () => {
    const { stdout: listed } = await warren('data', 'ls');
    for (const name of ['my-shop', 'amazon-beauty']) expect(listed).toContain(name);
    expect((await warren('data', 'ls', '--counts')).stdout).toMatch(/my-shop +as it is +6 × 10, 60/);
    const shown = JSON.parse((await warren('data', 'show', 'my-shop', '--json')).stdout);
    expect(shown).toMatchObject({ users: 6, items: 10, interactions: 60, sequences: { longest: 10 }, published: [] });
    const run = ['run', 'popularity', '--dataset', 'my-shop', '--set', 'dataset.maximumLength=5', '--local', '--json'];
    const { stdout, code } = await warren(...run);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ dataset: 'my-shop', fingerprint: shown.fingerprint });
  });

  it('take a split that a kind cannot evaluate for what it is: a mistake, told at once', async () => {
    const { code, stderr } = await warren(
      ...['run', 'featurize-sequential', '--dataset', 'my-shop', '--set', 'dataset.split=ratio-by-time', '--local'],
    );
    expect(code).toBe(2);
    expect(stderr).toContain('dataset.split: received "ratio-by-time"');
  });

  it.each([
    [['data', 'download', 'ml-10k'], 'Did you mean "ml-100k"'],
    [['data', 'download', 'steam-purchases'], 'cannot be downloaded by a program'],
    [['data', 'import', 'ml-1m', good], 'the name of a known dataset'],
    [['data', 'import', 'shop', good, '--map', 'usr=visitor'], 'Did you mean "user"?'],
    [['data', 'import', 'shop', join(folder, 'no.csv')], 'no.csv'],
    [['data', 'show', 'ml-1m'], 'warren data download ml-1m'],
  ])('%j says what would be right', async (parameters, words) => {
    const { code, stderr } = await warren(...parameters);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });
});
