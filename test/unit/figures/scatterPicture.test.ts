import { expect, test } from 'vitest';
import { reportScatterPicture, type ScatterPicture } from '#workers/figures/scatterPicture.ts';

const PICTURE: ScatterPicture = {
  title: 'films & others',
  names: ['Alien', 'Heat', 'unknown'],
  groups: ['Horror', 'Crime'],
  groupOf: [0, 1, -1],
  panels: [
    {
      title: 'plain',
      places: [
        [0, 0],
        [4, 1],
        [2, 2],
      ],
    },
    {
      title: 'smoothed',
      places: [
        [5, 5],
        [5, 5],
        [5, 5],
      ],
    },
  ],
};

test('points of several panels are left as SVG, PNG, JSON and CSV, coloured by group', async () => {
  const files = new Map<string, Uint8Array>();
  await reportScatterPicture({ artifact: (name, bytes) => void files.set(name, bytes) }, 'map', PICTURE);
  expect([...files.keys()]).toEqual(['map.svg', 'map.png', 'map.json', 'map.csv']);
  const text = (name: string): string => Buffer.from(files.get(name)!).toString('utf8');
  const svg = text('map.svg');
  for (const word of ['films &amp; others', 'smoothed', 'Horror', 'none known']) expect(svg).toContain(word);
  // one dot a group and panel, the grey ones first; none lies outside or is NaN, also where all places are the same
  expect(svg.match(/<path/g)).toHaveLength(6);
  expect(svg).not.toContain('NaN');
  expect(text('map.csv').split('\n').slice(0, 3)).toEqual([
    'name,group,plain: x,plain: y,smoothed: x,smoothed: y',
    'Alien,Horror,0,0,5,5',
    'Heat,Crime,4,1,5,5',
  ]);
  expect(Buffer.from(files.get('map.png')!).subarray(1, 4).toString()).toBe('PNG');
  expect(JSON.parse(text('map.json'))).toEqual(PICTURE);
});
