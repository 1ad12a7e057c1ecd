import { expect, it } from 'vitest';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { importRuns } from '#src/imports/importRuns.ts';
import type { RunFacts, SourceItem, SourceRun } from '#src/imports/source.ts';
import { apiForTests } from './support/apiForTests.ts';
import { capturedSurroundings } from './support/capturedSurroundings.ts';

const api = await apiForTests();
const options = { project: 'mine', source: 'runs', follow: false, json: true };
const command = createCommandContext(capturedSurroundings([], { WARREN_API_URL: api.url }));

/** Imports one run, of which some is known before it is read and some only then. */
async function bring(id: string, facts: RunFacts, later: RunFacts = {}): Promise<void> {
  const run: SourceRun = {
    ...{ id: `5eed0000-0000-4000-8000-00000000000${id}`, label: `run ${id}`, facts },
    read: (): SourceItem[] => [{ type: 'facts', facts: later }],
  };
  await importRuns(
    command,
    async function* () {
      yield run;
    },
    options,
  );
}

it('makes imported runs that differ in `seed` alone replicates, also those of earlier imports', async () => {
  await bring('1', { parameters: { lr: 0.1, seed: 3 } });
  await bring('2', {}, { parameters: { lr: 0.1, seed: 4 } });
  // as an earlier version made it
  await bring('3', { parameters: { lr: 0.1, Seed: 5 } });
  await bring('3', { parameters: { lr: 0.1, seed: 5 } });
  const { runs } = await api.ok(
    '{ runs(project: "mine") { edges { node { seed configuration { hash parameters } } } } }',
  );
  const found: { seed: number; configuration: { hash: string; parameters: unknown } }[] = runs.edges.map(
    ({ node }: { node: unknown }) => node,
  );
  expect(found.map(({ seed }) => seed).sort()).toEqual([3, 4, 5]);
  expect(new Set(found.map(({ configuration }) => configuration.hash)).size).toBe(1);
  expect(found[0]!.configuration.parameters).toEqual({ lr: 0.1 });
});
