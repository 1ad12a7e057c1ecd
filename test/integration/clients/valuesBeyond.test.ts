import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests({ seriesPerRun: 50 });
const python = pythonForTests({ WARREN_API_URL: api.url });
const node = nodeForTests({ WARREN_API_URL: api.url });

const metricsOf = async (name: string): Promise<Record<string, unknown>[]> => {
  const { runs } = await api.ok('query ($f: String) { runs(filter: $f) { edges { node { id } } } }', {
    f: `name = "${name}"`,
  });
  const { run } = await api.ok('query ($id: ID!) { run(id: $id) { metrics { name lastStep lastValue pointCount } } }', {
    id: runs.edges[0].node.id,
  });
  return run.metrics;
};

/** All points of the first metrics, and a word of the others. */
async function expectFull(run: string, stderr: string): Promise<void> {
  expect(stderr).toMatch(/the server refuses a record: the run would have \d+ metrics; at most 50 are kept/);
  const found = await metricsOf(run);
  expect(found).toHaveLength(50);
  expect(found.find(({ name }) => name === 'loss')).toMatchObject({ pointCount: 20, lastStep: 19 });
  expect(found.find(({ name }) => name === 'm30')).toMatchObject({ pointCount: 20 });
}

it.skipIf(python === null)('a number that no float can hold is infinite, and all that follows arrives', async () => {
  const { code, stderr } = await python!.start(`
import fractions, warren
run = warren.init(name="beyond")
run.log({"huge": 10**400, "low": -10**400, "share": fractions.Fraction(10**400, 3)})
run.log({(1, 2): 1, None: 2, 3: 3})
for step in (2**60, -1, 1.5):
    try:
        run.log({"late": 1}, step=step)
    except ValueError as error:
        print(error)
run.log({"last": 4})
run.finish()`).ended;
  expect([code, stderr.split('\n').filter((line) => /refuse|stopped/.test(line))], stderr).toEqual([0, []]);
  const found = await metricsOf('beyond');
  expect(found.filter(({ name }) => !String(name).startsWith('system/'))).toEqual([
    { name: '(1, 2)', lastStep: 1, lastValue: 1, pointCount: 1 },
    { name: '3', lastStep: 1, lastValue: 3, pointCount: 1 },
    { name: 'None', lastStep: 1, lastValue: 2, pointCount: 1 },
    { name: 'huge', lastStep: 0, lastValue: 'Infinity', pointCount: 1 },
    { name: 'last', lastStep: 2, lastValue: 4, pointCount: 1 },
    { name: 'low', lastStep: 0, lastValue: '-Infinity', pointCount: 1 },
    { name: 'share', lastStep: 0, lastValue: 'Infinity', pointCount: 1 },
  ]);
});

it.skipIf(python === null)(
  'a Python program that logs too many metrics keeps those that there is room for, at once',
  async () => {
    const { code, stderr } = await python!.start(`
import warren
run = warren.init(name="many")
for step in range(20):
    run.log({"loss": step, **{"m%d" % i: i for i in range(3000)}, "last": step}, step=step)
run.finish()`).ended;
    expect(code, stderr).toBe(0);
    await expectFull('many', stderr);
  },
);

it('a Node program that logs too many metrics keeps those that there is room for, at once', async () => {
  const { code, stderr } = await node.start(`
const run = await warren.init({ name: 'many of node' });
for (let step = 0; step < 20; step++)
  run.log({ loss: step, ...Object.fromEntries(Array.from({ length: 3000 }, (_, i) => ['m' + i, i])), last: step }, step);
await run.finish();`).ended;
  expect(code, stderr).toBe(0);
  await expectFull('many of node', stderr);
});
