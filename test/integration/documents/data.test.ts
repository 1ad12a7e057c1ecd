import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('data.md');
const folder = temporaryFolder();
const datasets = join(folder, 'datasets');
const home = { WARREN_HOME: join(folder, 'home') };
const rows = Array.from({ length: 60 }, (_, i) => [`u${i % 6}`, `p${(i * 7) % 10}`, i]);
mkdirSync(datasets);
writeFileSync(join(datasets, 'ratings.csv'), `user,item,time\n${rows.map((row) => row.join(',')).join('\n')}\n`);
writeFileSync(join(folder, 'clicks.csv'), `visitor,product,at\n${rows.map((row) => row.join(',')).join('\n')}\n`);

const find = document.take('find', { '~/datasets': datasets });
const importing = document.take('import', { 'clicks.csv': join(folder, 'clicks.csv') });
const prepare = document.take('prepare');

it('finds datasets in the folders of WARREN_DATA', async () => {
  const printed = await runShell(find, home);
  expect(printed).toContain(join(datasets, 'ratings.csv'));
  expect(printed).toContain('60 interactions');
});

it('imports a table, and runs on it with a preparation', async () => {
  expect(await runShell(importing, home)).toContain('60 interactions');
  expect(JSON.parse(await runShell(prepare, home))).toMatchObject({ dataset: 'my-shop', kind: 'popularity' });
});
