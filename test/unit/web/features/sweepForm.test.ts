import { expect, test } from 'vitest';
import { fieldOfPath, readSettings, START_SETTINGS } from '#web/features/sweeps/form/sweepSettings.ts';
import {
  gridSize,
  readVariation,
  splitValues,
  startVariation,
  type Variation,
  wordOf,
} from '#web/features/sweeps/form/variation.ts';
import { fieldsOfSchema } from '#web/lib/schemaField.ts';

const [rate, layers, method] = fieldsOfSchema(
  {
    type: 'object',
    properties: {
      rate: { type: 'number', exclusiveMinimum: 0, default: 0.01 },
      layers: { type: 'integer', minimum: 1, maximum: 6, default: 4 },
      method: { enum: ['adam', 'sgd'] },
    },
  },
  'parameters.',
);
const whole: Variation = startVariation(layers!, undefined);

test('a parameter begins with a range around what it has, inside its limits', () => {
  expect(startVariation(rate!, undefined)).toMatchObject({
    distribution: 'log_uniform_values',
    numbers: { min: '0.001', max: '0.1' },
  });
  expect(startVariation(rate!, 0.05)).toMatchObject({ numbers: { min: '0.005', max: '0.5' } });
  expect(whole).toMatchObject({ distribution: 'int_uniform', numbers: { min: '2', max: '6' } });
  expect(startVariation(method!, undefined)).toMatchObject({ distribution: 'categorical', values: 'adam, sgd' });
});

test('what is typed becomes an entry of a sweep file, or a message', () => {
  expect(readVariation(whole)).toEqual({ parameter: { distribution: 'int_uniform', min: 2, max: 6 } });
  const numbers = { ...whole.numbers, min: '9' };
  expect(readVariation({ ...whole, numbers })).toEqual({ message: 'From 9 to 6: the second must be greater.' });
  expect(readVariation({ ...whole, numbers: { ...numbers, max: 'x' } })).toEqual({
    message: 'to: “x” is not a number.',
  });
  const logarithmic = { ...whole, distribution: 'log_uniform_values', numbers: { ...numbers, min: '0' } } as const;
  expect(readVariation(logarithmic)).toEqual({ message: 'A logarithmic range begins above zero.' });
  expect(readVariation({ ...whole, distribution: 'categorical', values: ' ' })).toHaveProperty('message');
  expect(splitValues('1, adam, true, null')).toEqual([1, 'adam', true, null]);
  expect(splitValues('[64], [64, 32]')).toEqual([[64], [64, 32]]);
});

test('a parameter may be drawn only beside certain values of another', () => {
  const when = { path: 'parameters.method', values: ['adam'] };
  expect(readVariation({ ...whole, when })).toEqual({
    parameter: { distribution: 'int_uniform', min: 2, max: 6, when: { method: ['adam'] } },
  });
  expect(readVariation({ ...whole, when: { ...when, values: ['8', '"8"', 'null'] } })).toHaveProperty(
    'parameter.when',
    {
      method: [8, '8', null],
    },
  );
  expect(readVariation({ ...whole, when: { ...when, values: [] } })).toHaveProperty('message');
  expect(gridSize([{ ...whole, when }])).toBeNull();
  expect([8, '8', 'adam', null, [64]].map(wordOf)).toEqual(['8', '"8"', 'adam', 'null', '[64]']);
  expect(fieldOfPath('parameters.optimizer.rate.when')).toBe('parameters.optimizer.rate');
});

test('a grid is counted while it is typed', () => {
  const list: Variation = { ...whole, distribution: 'categorical', values: '1, 2, 4' };
  const steps: Variation = {
    ...whole,
    distribution: 'q_uniform',
    numbers: { ...whole.numbers, min: '0', max: '1', q: '0.25' },
  };
  expect(gridSize([whole, list, steps])).toBe(5 * 3 * 5);
  expect(gridSize([whole, startVariation(rate!, undefined)])).toBeNull();
});

test('settings become the keys of a sweep file; what is left empty is left out', () => {
  const { file, errors } = readSettings({ ...START_SETTINGS, metric: 'valid/mrr', seeds: '1-2', stopping: 'asha' });
  expect(errors).toEqual({});
  expect(file).toEqual({
    ...{ method: 'tpe', metric: { name: 'valid/mrr' }, seeds: [1, 2], budget: { trials: 40 }, concurrency: 4, seed: 1 },
    early_terminate: { type: 'asha', min_iter: 3, eta: 3 },
  });
});

test('mistakes are told at their fields, those of the API too', () => {
  const { errors } = readSettings({ ...START_SETTINGS, trials: '0', seeds: 'a', concurrency: '1.5' });
  expect(Object.keys(errors).sort()).toEqual(['concurrency', 'metric', 'seeds', 'trials']);
  expect(fieldOfPath('metric.name')).toBe('metric');
  expect(fieldOfPath('early_terminate.min_iter')).toBe('firstLook');
  expect(fieldOfPath('parameters.learningRate')).toBe('parameters.learningRate');
  expect(fieldOfPath('dataset')).toBe('dataset.name');
  expect(fieldOfPath('elsewhere')).toBeNull();
});
