import { expect, test } from 'vitest';
import { OPTIMIZER_NAMES } from '#src/catalog/optimizers/optimizers.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';

const resolve = (optimizer: Record<string, unknown>) =>
  resolveConfiguration({ kind: 'sasrec', dataset: 'ml-1m', parameters: { optimizer } });

test.each(OPTIMIZER_NAMES)('%s takes its own settings and refuses those of others', (method) => {
  expect(resolve({ method }).parameters).toMatchObject({ optimizer: { method } });
  for (const [setting, value, owner] of [
    ['momentum', 0.5, 'sgd'],
    ['decay', 0.9, 'rmsprop'],
  ] as const) {
    const configure = () => resolve({ method, [setting]: value });
    if (method === owner) expect(configure).not.toThrow();
    else expect(configure).toThrow(`${method} has none`);
  }
});

test('settings that came later are in no configuration that does not name them', () => {
  expect(resolve({}).parameters.optimizer).not.toHaveProperty('decay');
});
