import { formatDigits } from '#web/lib/formatNumber.ts';
import { describe, expect, test } from 'vitest';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { filterErrorColumn, unknownField } from '#web/lib/filterErrorColumn.ts';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { flattenObject, valueAt, withValueAt } from '#src/base/lib/plainObject.ts';
import { selectRange } from '#web/lib/rangeSelection.ts';
import { metricOrder } from '#web/lib/metricOrder.ts';
import {
  canonicalColumn,
  columnOfField,
  configurationValue,
  metricColumn,
  metricOfColumn,
  pathOfColumn,
} from '#web/lib/runColumn.ts';
import { smoothValues } from '#web/lib/smoothValues.ts';

describe('columns', () => {
  test.each(['test/ndcg@10', 'a "quoted" name', 'back\\slash'])(
    'the metric %j goes into a column and comes back',
    (name) => {
      expect(metricOfColumn(metricColumn(name))).toBe(name);
    },
  );

  test('other columns are no metrics', () => {
    expect(metricOfColumn('number')).toBeNull();
    expect(pathOfColumn('config.optimizer.name')).toBe('optimizer.name');
    expect(pathOfColumn('number')).toBeNull();
  });

  test('a list goes through the address, commas and percent signs too', () => {
    const columns = ['state', 'metric."a,b%2C"', 'config.x'];
    expect(readList(writeList(columns))).toEqual(columns);
    expect(readList('')).toEqual([]);
  });
});

test('values of a configuration, quoted names among them', () => {
  const configuration = { parameters: { optimizer: { 'learning rate': 0.1 }, 'a.b': 2 }, dataset: { core: 5 } };
  expect(configurationValue(configuration, 'parameters.optimizer."learning rate"')).toBe(0.1);
  expect(configurationValue(configuration, 'parameters."a.b"')).toBe(2);
  expect(configurationValue(configuration, 'dataset.core')).toBe(5);
  expect(configurationValue(configuration, 'parameters.toString')).toBeUndefined();
});

describe('objects', () => {
  const object = { a: { b: 1, c: [2] }, 'd.e': 3, f: {} };

  test('values at paths, names with dots among them', () => {
    expect(valueAt(object, 'a.b')).toBe(1);
    expect(valueAt(object, 'd.e')).toBe(3);
    expect(valueAt(object, 'a.x')).toBeUndefined();
    expect(valueAt({ a: { 'b.c': 5 } }, 'a.b.c')).toBe(5);
  });

  test('setting copies', () => {
    expect(withValueAt(object, 'a.b', 9)).toMatchObject({ a: { b: 9, c: [2] } });
    expect(object.a.b).toBe(1);
  });

  test('leaves by path', () => {
    expect(flattenObject(object)).toEqual([
      ['a.b', 1],
      ['a.c', [2]],
      ['d.e', 3],
      ['f', {}],
    ]);
  });
});

describe('selection of rows', () => {
  const order = ['a', 'b', 'c', 'd'];

  test('one row', () => {
    expect(selectRange(new Set(['a']), { order, id: 'c', anchor: null, range: false })).toEqual(new Set(['a', 'c']));
    expect(selectRange(new Set(['a']), { order, id: 'a', anchor: null, range: false })).toEqual(new Set());
  });

  test('a range takes the state that its last row gets, upwards too', () => {
    expect(selectRange(new Set(['d']), { order, id: 'b', anchor: 'd', range: true })).toEqual(new Set(['b', 'c', 'd']));
    expect(selectRange(new Set(order), { order, id: 'b', anchor: 'c', range: true })).toEqual(new Set(['a', 'd']));
  });

  test('an anchor that is gone counts as none', () => {
    expect(selectRange(new Set(), { order, id: 'b', anchor: 'z', range: true })).toEqual(new Set(['b']));
  });
});

describe('smoothing', () => {
  test('smoothing keeps a constant as it is, and steps over values that are not finite', () => {
    expect(smoothValues([2, 2, 2], 0.9)).toEqual([2, 2, 2].map((value) => expect.closeTo(value, 12)));
    expect(smoothValues([1, Number.NaN, 1], 0.5)).toEqual([1, Number.NaN, 1]);
    expect(smoothValues([1, 2], 0)).toEqual([1, 2]);
  });

  test('the second smoothed value by hand: (0.25·1 + 0.5·3) / 0.75', () => {
    expect(smoothValues([1, 3], 0.5)[1]).toBeCloseTo(1.75 / 0.75, 12);
  });
});

test('the column of a filter error', () => {
  expect(filterErrorColumn('filter, column 17: expected a value')).toBe(17);
  expect(filterErrorColumn('something else')).toBeNull();
});

test('the whole word that a filter does not know is found, of which the error names the first part', () => {
  const told = (filter: string) => {
    try {
      parseRunFilter(filter, () => null);
      return null;
    } catch (error) {
      return unknownField(filter, coerceError(error).message);
    }
  };
  expect(told('kind = sasrec and optimizer.lr=0.1')).toEqual({ word: 'optimizer.lr', column: 19 });
  expect(told('(valid/loss > 1)')).toEqual({ word: 'valid/loss', column: 2 });
  expect(told('seed = 1\nand lr = 1')).toBeNull();
  expect(told('optimizer."the rate" = 1')).toBeNull();
  expect(told('kind = and')).toBeNull();
});

test('metrics of the whole come before those of parts, times and system metrics last', () => {
  const names = ['system/cpu', 'test/rare/hr@5', 'time/epoch', 'test/hr@10', 'test/hr@5', 'loss'];
  expect(names.sort(metricOrder(names, new Set()))).toEqual([
    'test/hr@5',
    'test/hr@10',
    'test/rare/hr@5',
    'loss',
    'time/epoch',
    'system/cpu',
  ]);
});

test.each([
  ['config.optimizer.learningRate', 'config.parameters.optimizer.learningRate'],
  ['config.parameters.sigmaW', 'config.parameters.sigmaW'],
  ['parameters.sigmaW', 'config.parameters.sigmaW'],
  ['config.dataset.core', 'config.dataset.core'],
  ['config.dataset', 'config.dataset.name'],
  ['test/ndcg@10', 'metric."test/ndcg@10"'],
  ['metric.loss', 'metric."loss"'],
  ['metric."test/ndcg@10"', 'metric."test/ndcg@10"'],
  ['text.phase', 'text."phase"'],
  ['text."the verdict"', 'text."the verdict"'],
  ['state', 'state'],
])('the column %s, as filter and command line name it, is %s', (given, canonical) => {
  expect(canonicalColumn(given)).toBe(canonical);
});

test.each([
  ['seed', 'seed'],
  ['dropout', 'config.parameters.dropout'],
  ['model.name', 'config.parameters.model.name'],
  ['config.model.name', 'config.parameters.model.name'],
  ['dataset', 'config.dataset.name'],
])('the field %s of a report is the column %s', (field, column) => {
  expect(columnOfField(field, ['seed'])).toBe(column);
});

test('primary metrics of kinds stand before all others', () => {
  const names = ['test/hr@1', 'accuracy', 'test/ndcg@10', 'time/epoch'];
  expect(names.sort(metricOrder(names, new Set(['accuracy'])))[0]).toBe('accuracy');
  expect(names.sort(metricOrder(names, new Set())).at(-1)).toBe('time/epoch');
});

test('values beside each other have four significant digits, with their zeros', () => {
  expect([0.214, 0.2135, 12, 12.5, -0.03, 0.00001, 1234.5, Number.NaN].map((value) => formatDigits(value))).toEqual([
    ...['0.2140', '0.2135', '12', '12.50', '−0.03000', '1e-5', '1235', 'NaN'],
  ]);
});
