import { expect, test } from 'vitest';
import { publicFailure } from '#src/attempts/publicFailure.ts';

test('a reader of runs learns neither the folders of a worker nor what its files hold', () => {
  const message =
    '/srv/data/secret project/../ml.inter:3: found "password=hunter2 \\"x", expected a number; searched /srv/data, /home/ada/data';
  const stack = `Error: ${message}\n    at read (file:///home/ada/warren/dist/compute.js:10:5)`;
  const shown = publicFailure({ code: 'DATA_ERROR', message, path: '/srv/data/ml.inter:3', stack });
  expect(JSON.stringify(shown)).not.toMatch(/srv|home|ada|hunter2/);
  expect(shown.path).toBe('…/ml.inter:3');
  expect(shown.message).toContain('ml.inter:3: found something else, expected a number; searched …/data, …/data');
  expect(shown.stack).toContain('at read (…/compute.js:10:5)');
});

test('addresses, metric names and ratios stay', () => {
  const message = 'https://grouplens.org/datasets/ml-1m: test/ndcg@10 is 3/4, see /graphql and found "x"';
  expect(publicFailure({ code: 'RUN_FAILED', message }).message).toBe(message);
});
