import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STUDIES } from '#src/catalog/studies/studies.ts';
import { projectRoot } from '#src/lib/projectRoot.ts';
import { isUnchanged } from '#src/studies/exports/reproductionsDocument.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runCommands } from '../support/runCommands.ts';

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
  await runCommands(run, { WARREN_API_URL: api.url });
  const { runs } = await api.ok(`{ runs(filter: "tag = \\"study:overrec/table-2\\"") { edges { node { name } } } }`);
  expect(runs.edges).toEqual([{ node: { name: 'overrec/table-2 · item-knn/beauty' } }]);
});
