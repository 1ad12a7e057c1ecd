import { expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const api = await apiForTests();
const SHELL = 'exec node --input-type=module -e "$SCRIPT"';

/** What a program prints last, as JSON. */
async function answerOf(script: string, shell = SHELL) {
  const whole = `import * as warren from '${builtFile('clients/warren.mjs')}';\n${script}`;
  const printed = await runShell(shell, { SCRIPT: whole, WARREN_API_URL: api.url }, temporaryFolder());
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '');
}

const LOGGED = `
for (let seed = 0; seed < 3; seed++) {
  const run = await warren.init({ project: 'read', name: 'run ' + seed, seed, config: { lr: 0.1, net: { width: 8 } }, saveCode: false,
    tags: 'a', group: 'g', jobType: seed === 0 ? 'first' : undefined });
  console.log('hello');
  for (const value of [1, NaN, seed / 2]) {
    run.log({ early: value, phase: 'p' + seed }, { commit: false });
    run.log({ loss: value });
  }
  run.log({ aside: 1 }, { step: 10, commit: false });
  run.log({ late: 7 }, { commit: false });
  await warren.finish();
}
console.log(1);`;

it('runs are read back by a Node program: by filter and order, with values, curves, log and files', async () => {
  await answerOf(LOGGED);
  const found = await answerOf(`
const api = warren.api();
const names = async (query) => (await api.runs({ project: 'read', ...query }).all()).map(({ name }) => name);
const [run] = await api.runs({ filter: 'name = "run 1"' }).all();
const again = await api.run(run.number);
const rows = await run.history({ keys: ['loss', 'early', 'late'] });
console.log(JSON.stringify([
  await names({ order: '-metric.loss' }), await names({ filter: 'text.phase = p2' }), await names(), await api.count({ filter: 'seed > 0' }),
  await api.projects(), [again.id === run.id, run.state, run.config, run.seed, run.project, run.tags, run.endedAt >= run.createdAt],
  [run.summary.loss, run.summary.phase, run.metrics.find(({ name }) => name === 'loss').pointCount],
  rows.map(({ step, values }) => [step, values.loss, values.early, values.late]), Number.isNaN(rows[1].values.loss),
  await run.logs().all(), (await run.files()).length, (await api.run(1)).tags,
  (await api.graphql('query ($id: ID!) { run(id: $id) { name } }', { id: run.id })).run.name,
]));`);
  expect(found).toEqual([
    ...[['run 2', 'run 1', 'run 0'], ['run 2'], ['run 2', 'run 1', 'run 0'], 2],
    ...[['read'], [true, 'SUCCEEDED', { lr: 0.1, net: { width: 8 } }, 1, 'read', ['a', 'g'], true]],
    [0.5, 'p1', 3],
    [
      ...[
        [0, 1, 1, null],
        [1, null, null, null],
        [2, 0.5, 0.5, null],
      ],
      [3, null, null, 7],
    ],
    ...[true, ['hello'], 0, ['a', 'g', 'first'], 'run 1'],
  ]);
});

it('groups, whole curves and sweeps are read back, too', async () => {
  const file = {
    method: 'grid',
    kind: 'external',
    metric: { name: 'loss' },
    parameters: { lr: { values: [1, 2] } },
    project: 'read',
  };
  await api.ok('mutation ($file: JSON!) { createSweep(input: { file: $file }) { sweep { number } } }', { file });
  const found = await answerOf(`
const api = warren.api();
const [group] = await api.groups('lr', { project: 'read', metrics: ['loss', 'none'] });
const [run] = await api.runs({ filter: 'name = "run 1"' }).all();
const rows = await run.scanHistory({ keys: ['loss', 'early'] }).all();
const [sweep] = await api.sweeps({ project: 'read' }).all();
const again = await api.sweep('#' + sweep.number);
const { n, mean, minimum, low } = group.metrics.loss;
console.log(JSON.stringify([
  [group.values, group.runs, n, mean, minimum, low < mean, group.metrics.none.mean], rows.map(({ step, values }) => [step, values.loss]),
  Number.isNaN(rows[1].values.early), (await run.scanHistory().all()).length,
  [again.id === sweep.id, again.state, again.best, again.config.method, await again.trials().all(), await again.runs().all()],
]));`);
  expect(found).toEqual([
    ...[
      [{ lr: 0.1 }, 3, 3, 0.5, 0, true, null],
      [
        [0, 1],
        [1, null],
        [2, 0.5],
      ],
      true,
      5,
    ],
    [true, 'RUNNING', null, 'grid', [], []],
  ]);
});

it('sweeps are paused, resumed, extended, confirmed and cancelled', async () => {
  const found = await answerOf(`
const number = await warren.sweep(
  { method: 'random', metric: { name: 'loss' }, run_cap: 2, parameters: { lr: { min: 1, max: 2 } } },
  { project: 'steered' },
);
const made = await warren.api().sweep(number);
const paused = await made.pause();
const resumed = await paused.resume();
await warren.agent(number, async ({ lr }, run) => run.log({ loss: lr }));
const finished = await made.load();
const queued = await finished.confirm({ seeds: 2 });
const waiting = (await made.load()).untakenSeeds.length;
await warren.agent(number, async ({ lr }, run) => run.log({ loss: lr }));
const confirmed = await (await made.load()).confirmations();
const extended = await finished.extend({ trials: 3, parameters: { lr: { min: 5, max: 6 } } });
const cancelled = await extended.cancel();
const refused = await cancelled.extend({ trials: 1 }).then(() => null, (error) => error.message);
console.log(JSON.stringify([
  [made, paused, resumed, finished, extended, cancelled].map(({ state }) => state),
  [finished.counts.succeeded, finished.counts.planned, extended.counts.planned, extended.config.parameters.lr],
  [queued, waiting, confirmed.map(({ config, summary }) => config.lr === summary.loss && config.lr === finished.best.point.lr)],
  refused,
]));`);
  expect(found).toEqual([
    ['RUNNING', 'PAUSED', 'RUNNING', 'FINISHED', 'RUNNING', 'CANCELLED'],
    [2, 2, 5, expect.objectContaining({ min: 5, max: 6 })],
    [[], 2, [true, true]],
    expect.stringContaining('was cancelled'),
  ]);
});

it('what no run has is told, and what cannot be is refused', async () => {
  const said = await answerOf(
    `await warren.api().runs({ project: 'read', filter: 'metric.los < 1' }).all();`,
    `node --input-type=module -e "$SCRIPT" 2>said && node -p 'JSON.stringify(require("fs").readFileSync("said", "utf8"))'`,
  );
  expect(said).toBe('warren: runs: no run has a metric "los". Did you mean "loss"?\n');
  const refused = await answerOf(`
const api = warren.api();
const said = [];
for (const ask of [() => api.run(999), () => api.runs({ filter: 'nonsense = 1' }).all(), () => api.graphql('{ nonsense }')]) {
  said.push(await ask().catch((error) => error.message));
}
console.log(JSON.stringify(said));`);
  expect(refused).toEqual([
    expect.stringContaining('there is no run 999 at http'),
    expect.stringContaining('there is no field "nonsense"'),
    expect.stringContaining('nonsense'),
  ]);
});
