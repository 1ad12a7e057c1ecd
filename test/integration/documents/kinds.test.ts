import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { datasetSelectionSchema, SPLITS } from '#src/catalog/datasetSelection.ts';
import { KINDS } from '#src/catalog/kinds.ts';
import { parametersJsonSchema } from '#src/catalog/resolveConfiguration.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('kinds.md');
const api = await apiForTests();
const help = document.take('help');
const presets = document.take('presets');
const inputs = document.take('inputs');
const variables = { WARREN_API_URL: api.url, WARREN_HOME: temporaryFolder() };

it('names every kind', () => {
  const text = readFileSync(join(projectRoot(), 'docs', 'kinds.md'), 'utf8');
  expect(KINDS.filter(({ kind }) => !text.includes(`\`${kind}\``)).map(({ kind }) => kind)).toEqual([]);
});

it('names kinds and parameters that there are beside the modules of the papers’ sections', () => {
  const namesIn = (schema: unknown): string[] => {
    if (schema === null || typeof schema !== 'object') return [];
    const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
    return [...own, ...Object.values(schema).flatMap(namesIn)];
  };
  const known = new Set([
    ...KINDS.flatMap((kind) => [kind.kind, ...namesIn(parametersJsonSchema(kind))]),
    ...Object.keys(datasetSelectionSchema.shape),
    ...SPLITS,
  ]);
  const text = readFileSync(join(projectRoot(), 'docs', 'kinds.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /\| `(?:workers|src)\//.test(line));
  expect(rows.length).toBeGreaterThan(40);
  const quoted = rows.flatMap((row) => [...row.split('|')[2]!.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const named = quoted.filter((name) => !/[/…]/.test(name));
  const last = (name: string): string => name.split('=')[0]!.split('.').at(-1)!;
  expect(named.filter((name) => !known.has(last(name)))).toEqual([]);
});

it('explains a kind', async () => {
  expect(await runShell(help, variables)).toContain('sevo/sasrec-beauty');
});

it('queues presets, and a run that waits for the artifacts of others', async () => {
  await runShell(presets, variables);
  await runShell(inputs, variables);
  const { runs } = await api.ok('{ runs { totalCount edges { node { state configuration { kind } } } } }');
  expect(runs.totalCount).toBe(12);
  expect(runs.edges[0].node).toMatchObject({ state: 'WAITING', configuration: { kind: 'embedding-map' } });
});
