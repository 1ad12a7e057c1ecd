import { expect, test } from 'vitest';
import { optionsOf } from '#src/runs/command/savedView.ts';

const SETTINGS = {
  filter: '',
  orderBy: 'number',
  direction: 'DESC' as const,
  columns: null,
  groupBy: [],
  values: null,
  baseline: null,
};
const of = (settings: object) => optionsOf({ project: { name: 'p' }, settings: { ...SETTINGS, ...settings } });

test('a view in the words of the options: what it leaves open stays open', () => {
  expect(of({})).toMatchObject({ project: 'p', order: '-number', filter: undefined, columns: undefined });
  expect(
    of({
      orderBy: 'metric."test/a \\"b\\""',
      direction: 'ASC',
      columns: [{ name: 'state' }, { name: 'metric."x,y"' }],
    }),
  ).toMatchObject({ order: 'metric.test/a "b"', columns: ['number', 'state', 'metric."x,y"'] });
});

test('groups have no order by what runs alone have, and one by a metric that is shown', () => {
  const columns = [{ name: 'metric."loss"' }];
  expect(of({ groupBy: ['kind'], orderBy: 'created', direction: 'ASC', columns })).toMatchObject({
    ...{ order: '-number', groupBy: 'kind', metric: 'loss' },
  });
  expect(of({ groupBy: ['kind'], orderBy: 'metric."loss"', direction: 'ASC', columns }).order).toBe('metric.loss');
});
