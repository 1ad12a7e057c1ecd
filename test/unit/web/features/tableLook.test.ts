import { expect, test } from 'vitest';
import {
  addressOf,
  differencesFrom,
  lookOf,
  lookOfSettings,
  settingsOfLook,
  type TableLook,
} from '#web/features/runs/tableLook.ts';

const VIEW: TableLook = { filter: 'kind = mf-bpr', direction: 'asc', order: 'seed', group: 'kind' };
const told = (address: object) => JSON.parse(JSON.stringify(address));

test('the address goes over a view, and can say that something is as if nobody had changed it', () => {
  expect(lookOf({ filter: 'seed = 1' }, VIEW)).toEqual({ ...VIEW, filter: 'seed = 1' });
  const look = lookOf({ filter: '-', direction: 'desc' }, VIEW);
  expect(look).toEqual({ order: 'seed', group: 'kind' });
  expect(told(addressOf(look, VIEW))).toEqual({ filter: '-', direction: 'desc' });
  expect(told(addressOf(VIEW, VIEW))).toEqual({});
  expect(differencesFrom(VIEW, look)).toEqual(['filter', 'order']);
  expect(differencesFrom(VIEW, VIEW)).toEqual([]);
});

test.each<[string, TableLook]>([
  ['nothing', {}],
  [
    'all',
    {
      ...{ ...VIEW, columns: 'name,metric."a%2Cb"', widths: 'name:300', pinned: '1', shaded: 'metric."a%2Cb"' },
      ...{ value: 'best', baseline: 'g_1', pins: '12,3' },
    },
  ],
])('a table with %s set is saved and shown the same', (_what, look) => {
  const settings = settingsOfLook(look, ['name', 'metric."a,b"']);
  expect(lookOfSettings(settings)).toEqual(look);
});

test('usual columns stay usual; one width makes them the columns of the view', () => {
  expect(settingsOfLook({}, ['name', 'state']).columns).toBeNull();
  expect(settingsOfLook({ widths: 'state:90' }, ['name', 'state']).columns).toEqual([
    { name: 'name', width: null, pinned: true, shaded: false },
    { name: 'state', width: 90, pinned: false, shaded: false },
  ]);
});
