import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KINDS } from '#src/catalog/kinds.ts';
import { STUDIES } from '#src/catalog/studies/studies.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';

const document = documentForTests('measurements.md');
const api = await apiForTests();
const run = document.take('run');

it('names presets and studies that there are', () => {
  const text = readFileSync(join(projectRoot(), 'docs', 'measurements.md'), 'utf8');
  const names = [...text.matchAll(/^\| `([a-z]+\/[^`]+)`/gm)].map(([, name = '']) => name);
  const pattern = (name: string) => new RegExp(`^${name.replace('INIT', '[a-z]+')}$`);
  const presets = KINDS.flatMap((kind) => kind.presets.map(({ name }) => name));
  const known = [...presets, ...STUDIES.map(({ name }) => name)];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !known.some((preset) => pattern(name).test(preset)))).toEqual([]);
});

it('queues rows anew', async () => {
  await runShell(run, { WARREN_API_URL: api.url });
  expect((await api.ok('{ runs { totalCount } }')).runs.totalCount).toBe(3);
});
