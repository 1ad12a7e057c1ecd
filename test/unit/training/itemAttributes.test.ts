import { expect, test } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { reportItemAttributes } from '#workers/training/itemAttributes.ts';
import { recordingContext } from '../experiments/recordingContext.ts';

const dataset = {
  ...{ name: 'tiny', fingerprint: '', userCount: 2, itemCount: 3, userIds: ['u', 'v'], itemIds: ['a', 'b', 'c,d'] },
  offsets: Uint32Array.of(0, 3, 5),
  items: Uint32Array.of(0, 1, 2, 1, 0),
};
const training = { dataset, trainEnd: Uint32Array.of(2, 4) };

async function left(items?: () => Promise<ReadonlyMap<string, { title: string; genres: readonly string[] }>>) {
  const { recorded, context } = recordingContext(dataset, {}, items === undefined ? {} : { items });
  await reportItemAttributes(context, training);
  return Buffer.from(recorded.artifacts.get('items.csv')!).toString('utf8');
}

test('items are left with their id and how often the training part has them, in the order of the rows', async () => {
  expect(await left()).toBe('id,popularity\na,1\nb,2\n"c,d",0\n');
});

test('titles and genres stand beside them where they are known', async () => {
  const known = new Map([['b', { title: 'The "B"', genres: ['Comedy', 'Drama'] }]]);
  expect(await left(async () => known)).toBe(
    'id,popularity,title,genres\na,1,,\nb,2,"The ""B""","Comedy, Drama"\n"c,d",0,,\n',
  );
});

test('a run that has trained does not fail for its titles', async () => {
  expect(await left(() => Promise.reject(new WarrenError('UNAVAILABLE', 'no network')))).toContain('a,1\n');
});
