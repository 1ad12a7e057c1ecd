import type { DatasetInfo, Download } from './datasetInfo.ts';

const COMMON = {
  holds: 'sequences',
  licence: 'GroupLens terms: research use with citation; no commercial use and no redistribution without permission.',
  citation:
    'F. M. Harper, J. A. Konstan. The MovieLens datasets: history and context. ACM Transactions on Interactive Intelligent Systems 5(4), 2015.',
} as const;

function archive(
  name: string,
  sha256: string | null,
  unpack: Readonly<Record<string, string>>,
  maximumBytes = 256 * 2 ** 20,
): Download {
  const url = `https://files.grouplens.org/datasets/movielens/${name}.zip`;
  return { url, sha256, maximumBytes, unpack, saveAs: `${name}.zip` };
}

/** The large editions, which have one layout; `items` are the films listed. */
function large(
  edition: string,
  { users, items, interactions }: { users: number; items: number; interactions: number },
): DatasetInfo {
  const name = `ml-${edition}`;
  const millions = edition.replace('m', '');
  return {
    ...COMMON,
    name,
    title: `MovieLens ${millions}M`,
    description: `${millions} million ratings of films, read as implicit feedback in time order.`,
    home: `https://grouplens.org/datasets/movielens/${edition}/`,
    files: [{ name: `${name}-ratings.csv`, format: 'table' }],
    itemFiles: [`${name}-movies.csv`],
    published: [
      { source: 'GroupLens, README', users, items, interactions, note: 'films listed, of which some are not rated' },
    ],
    downloads: [
      archive(
        name,
        null,
        { [`${name}/ratings.csv`]: `${name}-ratings.csv`, [`${name}/movies.csv`]: `${name}-movies.csv` },
        4 * 2 ** 30,
      ),
    ],
  };
}

const LEPORID_NOTE =
  'the text says that users and items with fewer than 20 interactions are removed: counted once that leaves what stands here, until none is left 6,022 users and 995,154 interactions; the printed numbers are, to within two, those of the items that occur in the first 70 % of each user (3,648 and 1,000,126)';

export const MOVIELENS_DATASETS: readonly DatasetInfo[] = [
  {
    ...COMMON,
    name: 'ml-1m',
    title: 'MovieLens 1M',
    description: 'A million ratings of about 3,700 films by 6,040 users, read as implicit feedback in time order.',
    home: 'https://grouplens.org/datasets/movielens/1m/',
    files: [
      { name: 'ml-1m-sequences.txt', format: 'sequences' },
      { name: 'ml-1m-ratings.dat', format: 'movielens-dat' },
      { name: 'ml-1m-ratings.csv', format: 'table' },
      { name: 'ml-1m.inter', format: 'table' },
    ],
    itemFiles: ['ml-1m-movies.dat', 'ml-1m.item'],
    published: [
      {
        source: 'OverRec, Table I',
        users: 6_041,
        items: 3_417,
        interactions: 999_611,
        preprocessing: { core: 5 },
        note: 'one user and one item more than SEvo: the padding entry counted',
      },
      { source: 'SEvo, Table 2', users: 6_040, items: 3_416, interactions: 999_611, preprocessing: { core: 5 } },
      {
        source: 'LEPORID, Table 2',
        users: 6_040,
        items: 3_650,
        interactions: 1_000_127,
        preprocessing: { core: 20, coreRule: 'one-pass' },
        note: LEPORID_NOTE,
      },
    ],
    uses: [
      {
        source: 'OverRec, Section VI-A',
        words:
          'implicit feedback; users and items with fewer than 5 interactions removed; last 50 items; leave-one-out',
        preprocessing: { core: 5 },
      },
      {
        source: 'SEvo, Section 5.1',
        words: 'users and items with fewer than 5 interactions removed; leave-one-out; sequences of 200 items',
        preprocessing: { core: 5 },
      },
      {
        source: 'LEPORID, Section 5.1',
        words:
          'users and items with fewer than 20 interactions removed; 70 % / 10 % / 20 % of each user in time; candidates without those seen in training and validation',
        preprocessing: { core: 20, coreRule: 'one-pass', split: 'ratio-by-time' },
      },
      {
        source: 'Featurizing, Appendix F, task 1',
        words: 'genres of films; 80 % of the films for training, 20 % for testing, at random',
        preprocessing: { split: 'random-by-item' },
      },
      {
        source: 'Featurizing, Appendix F, task 2',
        words: 'last interaction of each user for testing, all before it for training',
        preprocessing: { split: 'leave-one-out' },
      },
    ],
    downloads: [
      archive('ml-1m', 'a6898adb50b9ca05aa231689da44c217cb524e7ebd39d264c56e2832f2c54e20', {
        'ml-1m/ratings.dat': 'ml-1m-ratings.dat',
        'ml-1m/movies.dat': 'ml-1m-movies.dat',
      }),
    ],
  },
  {
    ...COMMON,
    name: 'ml-100k',
    title: 'MovieLens 100K',
    description: 'A hundred thousand ratings of 1,682 films by 943 users, read as implicit feedback in time order.',
    home: 'https://grouplens.org/datasets/movielens/100k/',
    files: [
      { name: 'ml-100k.inter', format: 'table' },
      { name: 'ml-100k-ratings.csv', format: 'table' },
      { name: 'ml-100k-u.data', format: 'movielens-tabs' },
    ],
    itemFiles: ['ml-100k.item'],
    published: [{ source: 'GroupLens, README', users: 943, items: 1_682, interactions: 100_000 }],
    downloads: [
      archive('ml-100k', '50d2a982c66986937beb9ffb3aa76efe955bf3d5c6b761f4e3a7cd717c6a3229', {
        'ml-100k/u.data': 'ml-100k-u.data',
      }),
    ],
  },
  {
    ...COMMON,
    name: 'ml-latest-small',
    title: 'MovieLens latest, small (2018)',
    description: 'About a hundred thousand ratings by 610 users, read as implicit feedback in time order.',
    home: 'https://grouplens.org/datasets/movielens/latest/',
    files: [{ name: 'ml-latest-small-ratings.csv', format: 'table' }],
    itemFiles: ['ml-latest-small-movies.csv'],
    published: [
      {
        source: 'GroupLens, README',
        users: 610,
        items: 9_742,
        interactions: 100_836,
        note: 'films listed; 9,724 of them are rated',
      },
    ],
    downloads: [
      archive('ml-latest-small', '696d65a3dfceac7c45750ad32df2c259311949efec81f0f144fdfb91ebc9e436', {
        'ml-latest-small/ratings.csv': 'ml-latest-small-ratings.csv',
        'ml-latest-small/movies.csv': 'ml-latest-small-movies.csv',
      }),
    ],
  },
  large('20m', { users: 138_493, items: 27_278, interactions: 20_000_263 }),
  large('25m', { users: 162_541, items: 62_423, interactions: 25_000_095 }),
  large('32m', { users: 200_948, items: 87_585, interactions: 32_000_204 }),
];
