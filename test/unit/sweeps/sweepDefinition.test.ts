import { expect, test } from 'vitest';
import { readSweepFile } from '#src/sweeps/search/sweepDefinition.ts';

const FILE = { method: 'random', run_cap: 1, kind: 'external', parameters: { lr: { min: 0.1, max: 0.2 } } };
const read = (file: Record<string, unknown>) => readSweepFile({ ...FILE, ...file }).definition;

test.each(['test/ndcg@10', 'test_acc', 'Test Loss', 'testLoss', 'TEST', 'loss/test', 'loss_test', 'metrics/test_acc'])(
  'trials are neither chosen nor stopped by %s, unless the file says that they may be',
  (name) => {
    const early_terminate = { type: 'asha', min_iter: 1, metric: name };
    const stopped = { metric: { name: 'valid/loss' }, early_terminate };
    expect(() => read({ metric: { name } })).toThrow(
      /metric.name: .* is measured on the test data: .*allowTestObjective/,
    );
    expect(() => read(stopped)).toThrow(/early_terminate.metric: .* is measured on the test data/);
    expect(read({ metric: { name }, allowTestObjective: true }).metric?.name).toBe(name);
    expect(read({ ...stopped, allowTestObjective: true }).earlyStopping?.metric).toBe(name);
  },
);

test.each(['valid/loss', 'latest/loss', 'testing_time', 'contest/score', 'attested'])('%s is no test data', (name) => {
  expect(read({ metric: { name } }).metric?.name).toBe(name);
});

test.each([
  [{ seeds: '1-3' }, /seeds: received "1-3", expected how many seeds, or a list of them such as \[1, 2, 7\]/],
  [{ dataset: 7 }, /dataset: received 7, expected the name of a dataset/],
  [{ budget: { hour: 3 } }, /budget.hour: is not known. Did you mean .*"budget.hours"/],
  [{ metric: { nmae: 'loss' } }, /metric.nmae: is not known. Did you mean .*"metric.name"/],
  [{ metric: 'loss' }, /metric: .*expected an object with its name: \{ name: "loss" \}/],
  [{ run_cpa: 3 }, /run_cpa: is not known. Did you mean "run_cap"/],
])('%j is refused in words', (file, words) => {
  expect(() => read(file)).toThrow(words);
});
