import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile } from '#src/lib/projectRoot.ts';
import { runsReach } from '../runtime/runFacts.ts';
import { commandsForTests } from './commandsForTests.ts';

const { api, db, queue, token, startWorker, linesOf } = await commandsForTests();

const PYTHON = `import warren
run = warren.init(config={"lr": 0.5, "layers": 2, "net": {"width": 8}})
run.config.update({"depth": 3, "lr": 0.7})
print("lr is", run.config.lr, "batch is", run.config["batch"])
run.log({"loss": run.config.layers})
`;
const NODE = `import(${JSON.stringify(join(builtFile('clients'), 'warren.mjs'))}).then(async (warren) => {
  const run = await warren.init({ config: { lr: 0.5, layers: 4 } });
  run.config.update({ lr: 0.7 });
  console.log('lr is', run.config.get('lr'), 'batch is', run.config.get('batch'));
  run.log({ loss: 4 });
  await run.finish();
})`;

interface Listed {
  number: number;
  configuration: { hash: string; parameters: Record<string, unknown> };
  queued: { hash: string; parameters: Record<string, unknown> };
}

it('holds what the program of a command adds as a parameter like any other, under what was queued', async () => {
  await startWorker();
  const parameters = { lr: 0.1, batch: 16 };
  const python = await queue({ command: ['python3', '-c', PYTHON, '{lr}', '{batch}'], parameters, seeds: [1, 2] });
  const node = await queue({ command: ['node', '-e', NODE, '{lr}', '{batch}'], parameters, seeds: [1] });
  const plain = await queue({ command: ['true', '{layers}'], parameters: { layers: 9 }, seeds: [1] });
  const ended = await runsReach(db, [...python, ...node, ...plain]);
  expect(ended.map(({ state }) => state)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);

  for (const run of [python[0]!, node[0]!]) {
    const lines = await linesOf(run);
    expect(lines).toContain('lr is 0.1 batch is 16');
    const told = lines.filter((line) => line.includes('config: lr stays 0.1, as it was queued'));
    expect(told, 'by init and by update').toHaveLength(2);
  }

  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors } = await api.graphql(query, variables, { authorization: `Bearer ${token}` });
    expect(errors).toEqual([]);
    return data;
  };
  const found = async (filter: string, order = 'number'): Promise<number[]> => {
    const query = `query ($filter: String, $by: String!) { runs(filter: $filter, orderBy: { by: $by, direction: ASC }) {
      edges { node { number } } } }`;
    const { runs } = await ask(query, { filter, by: order });
    return runs.edges.map(({ node: one }: { node: Listed }) => one.number);
  };
  const numbers = ended.map(({ number }) => number);
  expect(await found('config.layers = 2 and config.lr = 0.1')).toEqual(numbers.slice(0, 2));
  expect(await found('config.net.width = 8 and config.depth = 3')).toEqual(numbers.slice(0, 2));
  expect(await found('config.layers >= 4', 'config.layers')).toEqual([numbers[2], numbers[3]]);
  expect(await found('config.lr = 0.5 or config.lr = 0.7')).toEqual([]);
  expect(await found('kind = command and not config.layers = 9')).toEqual(numbers.slice(0, 3));

  const groups = `query ($by: [String!]!) { runGroups(groupBy: $by, metrics: []) { edges { node { runCount values } } } }`;
  const { runGroups } = await ask(groups, { by: ['layers'] });
  const grouped = runGroups.edges.map(({ node: one }: { node: { values: unknown[]; runCount: number } }) => [
    one.values[0],
    one.runCount,
  ]);
  expect(Object.fromEntries(grouped)).toEqual({ 2: 2, 4: 1, 9: 1 });

  const shown = `query ($id: ID!) { run(id: $id) { number configuration { hash parameters } queued: configuration(queued: true) { hash parameters } } }`;
  const { run } = (await ask(shown, { id: python[0]!.id })) as { run: Listed };
  expect(run.configuration.parameters).toMatchObject({ lr: 0.1, batch: 16, layers: 2, net: { width: 8 }, depth: 3 });
  expect(run.queued.parameters).toEqual({ ...run.queued.parameters, lr: 0.1, batch: 16 });
  expect(run.queued.parameters).not.toHaveProperty('layers');
  expect(run.configuration.hash, 'seeds are replicates of what was queued').toBe(run.queued.hash);

  const compared = `query ($ids: [ID!]!) { compareRuns(ids: $ids) { fields { path differs values } } }`;
  const { compareRuns } = await ask(compared, { ids: [python[0]!.id, node[0]!.id] });
  expect(compareRuns.fields.find(({ path }: { path: string }) => path === 'parameters.layers')).toEqual({
    ...{ path: 'parameters.layers', differs: true, values: [2, 4] },
  });
});
