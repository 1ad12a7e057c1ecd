import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STUDIES } from '#src/catalog/studies/studies.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { isUnchanged } from '#src/studies/exports/reproductionsDocument.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';

const document = documentForTests('reproductions.md');
const api = await apiForTests();
const run = document.take('run');
const text = readFileSync(join(projectRoot(), 'docs', 'reproductions.md'), 'utf8');

it('is written from runs, not by hand, and lists every study', () => {
  expect(isUnchanged(text)).toBe(true);
  expect(isUnchanged(text.replace(/\| 0\.0/, '| 0.1'))).toBe(false);
  const listed = [...text.matchAll(/^\| `([a-z]+\/[^`]+)`/gm)].map(([, name = '']) => name);
  expect(listed).toEqual(STUDIES.map(({ name }) => name));
});

it('queues what a study lacks', async () => {
  await runShell(run, { WARREN_API_URL: api.url });
  const { runs } = await api.ok(`{ runs(filter: "tag = \\"study:overrec/table-2\\"") { edges { node { name } } } }`);
  expect(runs.edges).toEqual([{ node: { name: 'overrec/table-2 · item-knn/beauty' } }]);
});

it('is renewed a study at a time, and the others stay as they were', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'warren-reproductions-'));
  const file = join(folder, 'page.md');
  const renew = () =>
    runShell(`npm run -s warren -- reproduce sevo/table-4 --show --export ${file}`, { WARREN_API_URL: api.url });
  try {
    await writeFile(file, text);
    await renew();
    const renewed = await readFile(file, 'utf8');
    expect(isUnchanged(renewed)).toBe(true);
    const others = (page: string) =>
      page.split(/\n(?=## )/).filter((part) => /^## [a-z]+\//.test(part) && !part.startsWith('## sevo/table-4: '));
    expect(others(renewed)).toEqual(others(text));
    const line = (page: string, name: string) => page.split('\n').find((one) => one.startsWith(`| \`${name}\``));
    expect(line(renewed, 'sevo/table-4')).toContain('| not run | 36 not run |');
    expect(line(renewed, 'sevo/table-3')).toBe(line(text, 'sevo/table-3'));
    expect(renewed).toContain('## sevo/table-4: ');

    await writeFile(file, renewed.replace('36 not run', '36 agree'));
    await expect(renew()).rejects.toThrow('is not as `warren reproduce --export` wrote it');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
