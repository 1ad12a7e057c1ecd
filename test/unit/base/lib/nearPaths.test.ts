import { expect, test } from 'vitest';
import { kindByName } from '#src/catalog/kinds.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { nearPaths } from '#src/base/lib/nearPaths.ts';

const PATHS = ['dimension', 'init.bpr.learningRate', 'optimizer', 'optimizer.learningRate', 'optimizer.weightDecay'];

test.each([
  ['lr', ['optimizer.learningRate', 'init.bpr.learningRate']],
  ['learning_rate', ['optimizer.learningRate', 'init.bpr.learningRate']],
  ['Dimension', ['dimension']],
  ['adam.lr', ['optimizer.learningRate', 'init.bpr.learningRate']],
  ['wd', ['optimizer.weightDecay']],
  ['optimiser.weightdecay', ['optimizer.weightDecay']],
  ['dim', ['dimension']],
  ['x', []],
])('%s may mean %j', (wanted, meant) => {
  expect(nearPaths(wanted, PATHS)).toEqual(meant);
});

test('a parameter that is not known is told by its whole path', () => {
  const set = (parameters: object) => () => parseParameters(kindByName('sasrec'), parameters);
  expect(set({ lr: 1 })).toThrow(/^parameters\.lr: is not known\. Did you mean "optimizer\.learningRate"/);
  expect(set({ optimizer: { lr: 1 } })).toThrow(/^parameters\.optimizer\.lr: .*"optimizer\.learningRate"/);
});
