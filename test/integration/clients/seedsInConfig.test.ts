import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const { runOf } = loggedRuns(api);
const node = nodeForTests({ WARREN_API_URL: api.url });
const python = pythonForTests({ WARREN_API_URL: api.url });

/** What became of `config.seed`, whether the run was given a seed or not. */
async function expectSeeds(printed: string): Promise<void> {
  const [open, given] = printed.trim().split('\n');
  expect(await runOf(open!)).toMatchObject({ seed: 4, configuration: { parameters: { lr: 0.1, note: 'x' } } });
  expect((await runOf(open!)).configuration.parameters).not.toHaveProperty('seed');
  expect(await runOf(given!)).toMatchObject({ seed: 1, configuration: { parameters: { seed: 5 } } });
}

it('makes a seed that a Node program sets later the seed of its run, unless it has given one', async () => {
  await expectSeeds(
    await node.run(`
const open = await warren.init({ project: 'seeds', config: { lr: 0.1 } });
open.config.update({ seed: 3, note: 'x' });
open.config.update({ seed: 4 });
if (open.seed !== 4 || open.config.get('seed') !== 4) throw new Error('the program sees its seed');
console.log(open.id);
await warren.finish();
const given = await warren.init({ project: 'seeds', seed: 1 });
given.config.update({ seed: 5 });
console.log(given.id);
`),
  );
});

it.skipIf(python === null)('does the same for Python', async () => {
  const printed = await python!.run(`
import warren
run = warren.init(project="seeds", config={"lr": 0.1}, mode="offline")
run.config.update({"seed": 3, "note": "x"})
run.config.seed = 4
assert run.seed == 4 and run.config["seed"] == 4
print(run.id)
run.finish()
from warren.__main__ import main
assert main(["sync"]) in (None, 0)
run = warren.init(project="seeds", seed=1)
run.config.seed = 5
print(run.id)
`);
  await expectSeeds(
    printed
      .split('\n')
      .filter((line) => /^[0-9a-f-]{36}$/.test(line))
      .join('\n'),
  );
});

it('keeps the seed of a run that has ended', async () => {
  const id = (await node.run("console.log((await warren.init({ project: 'seeds' })).id);")).trim();
  const answer = await api.graphql('mutation ($id: ID!) { updateRun(input: { id: $id, seed: 7 }) { seed } }', { id });
  expect(answer.errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  expect(await runOf(id)).toMatchObject({ seed: 0 });
});
