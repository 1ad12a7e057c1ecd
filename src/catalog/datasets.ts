/** How the lines of a file are read; `workers/data` has a reader for each. */
export type DatasetFormat =
  /** `user item item …`, one line a user, items in time order. */
  | 'sequences'
  /** A header, then one interaction a line: CSV, TSV, RecBole's `.inter`. */
  | 'table'
  /** `user item rating time`, separated by spaces, without a header. */
  | 'user-item-rating-time'
  /** Known, but without any time order, so that no leave-one-out split exists. */
  | 'unordered';

export interface DatasetFile {
  /** Name of the file, without `.gz`; it may be there gzipped or plain. */
  name: string;
  format: DatasetFormat;
}

/** What a paper's table of statistics prints. */
export interface PublishedStatistics {
  source: string;
  users: number;
  items: number;
  interactions: number;
}

/** A dataset that Warren knows by name. */
export interface DatasetInfo {
  name: string;
  title: string;
  description: string;
  /** Its public home. */
  home: string;
  /** Terms under which it may be used, in words. */
  licence: string;
  citation: string;
  /** Files in which it may come, the preferred first. */
  files: readonly DatasetFile[];
  published: readonly PublishedStatistics[];
}

const AMAZON = {
  home: 'https://cseweb.ucsd.edu/~jmcauley/datasets/amazon/links.html',
  licence: 'Public for research, without a licence text; cite the source.',
  citation:
    'J. McAuley, C. Targett, Q. Shi, A. van den Hengel. Image-based recommendations on styles and substitutes. SIGIR 2015.',
} as const;

const MOVIELENS = {
  licence: 'GroupLens terms: research use with citation; no commercial use and no redistribution without permission.',
  citation:
    'F. M. Harper, J. A. Konstan. The MovieLens datasets: history and context. ACM Transactions on Interactive Intelligent Systems 5(4), 2015.',
} as const;

const STEAM_PURCHASES_HOME = 'https://www.kaggle.com/datasets/tamber/steam-video-games';

function amazon(
  name: string,
  title: string,
  category: string,
): Pick<DatasetInfo, 'name' | 'title' | 'description' | 'files'> {
  return {
    name,
    title: `Amazon ${title} (2014, 5-core)`,
    description: `Reviews of Amazon's category ${title}, 1996 to 2014, users and items with at least 5 interactions, one line a user in time order (the files of S3-Rec).`,
    files: [
      { name: `${name}.txt`, format: 'sequences' },
      { name: `${category}.txt`, format: 'sequences' },
    ],
  };
}

/** Every dataset that Warren knows, in the order in which they are shown. */
export const DATASETS: readonly DatasetInfo[] = [
  {
    ...AMAZON,
    ...amazon('amazon-beauty', 'Beauty', 'Beauty'),
    published: [
      { source: 'OverRec, Table I', users: 22_363, items: 12_101, interactions: 198_502 },
      { source: 'SEvo, Table 2', users: 22_363, items: 12_101, interactions: 198_502 },
    ],
  },
  {
    ...AMAZON,
    ...amazon('amazon-clothing', 'Clothing, Shoes and Jewelry', 'Clothing_Shoes_and_Jewelry'),
    published: [{ source: 'OverRec, Table I', users: 39_387, items: 23_033, interactions: 278_677 }],
  },
  {
    ...AMAZON,
    ...amazon('amazon-toys', 'Toys and Games', 'Toys_and_Games'),
    published: [
      { source: 'OverRec, Table I', users: 19_413, items: 11_925, interactions: 167_597 },
      { source: 'SEvo, Table 2', users: 19_412, items: 11_924, interactions: 167_597 },
    ],
  },
  {
    ...AMAZON,
    ...amazon('amazon-tools-and-home-improvement', 'Tools and Home Improvement', 'Tools_and_Home_Improvement'),
    published: [],
  },
  {
    ...MOVIELENS,
    name: 'ml-1m',
    title: 'MovieLens 1M',
    description: 'A million ratings of about 3,700 films by 6,040 users, read as implicit feedback in time order.',
    home: 'https://grouplens.org/datasets/movielens/1m/',
    files: [
      { name: 'ml-1m-sequences.txt', format: 'sequences' },
      { name: 'ml-1m-ratings.csv', format: 'table' },
      { name: 'ml-1m.inter', format: 'table' },
    ],
    published: [
      { source: 'OverRec, Table I', users: 6_041, items: 3_417, interactions: 999_611 },
      { source: 'SEvo, Table 2', users: 6_040, items: 3_416, interactions: 999_611 },
      { source: 'LEPORID, Table 2', users: 6_040, items: 3_650, interactions: 1_000_127 },
    ],
  },
  {
    ...MOVIELENS,
    name: 'ml-100k',
    title: 'MovieLens 100K',
    description: 'A hundred thousand ratings of 1,682 films by 943 users, read as implicit feedback in time order.',
    home: 'https://grouplens.org/datasets/movielens/100k/',
    files: [
      { name: 'ml-100k.inter', format: 'table' },
      { name: 'ml-100k-ratings.csv', format: 'table' },
    ],
    published: [{ source: 'GroupLens, README', users: 943, items: 1_682, interactions: 100_000 }],
  },
  {
    ...MOVIELENS,
    name: 'ml-latest-small',
    title: 'MovieLens latest, small (2018)',
    description: 'About a hundred thousand ratings by 610 users, read as implicit feedback in time order.',
    home: 'https://grouplens.org/datasets/movielens/latest/',
    files: [{ name: 'ml-latest-small-ratings.csv', format: 'table' }],
    published: [
      {
        source: 'GroupLens, README (films listed; 9,724 of them are rated)',
        users: 610,
        items: 9_742,
        interactions: 100_836,
      },
    ],
  },
  {
    name: 'steam-leporid-validation',
    title: 'Steam, validation slice of LEPORID',
    description: "About a tenth of the Steam interactions of LEPORID: its authors' validation slice, short sequences.",
    home: 'https://github.com/zhangynnancy/Leporid_DLR2',
    licence: 'Public for research, without a licence text; cite the source.',
    citation:
      'Y. Zhang, et al. Initialization matters: regularizing manifold-informed initialization for neural recommendation systems. KDD 2021.',
    files: [{ name: 'steam-leporid-validation.txt', format: 'user-item-rating-time' }],
    published: [],
  },
  {
    name: 'steam-purchases',
    title: 'Steam purchases',
    description: 'Games that users of Steam bought. It has no time order.',
    home: STEAM_PURCHASES_HOME,
    licence: 'Terms of its Kaggle page.',
    citation: `Tamber. Steam video games. ${STEAM_PURCHASES_HOME}`,
    files: [{ name: 'steam-purchases.dat', format: 'unordered' }],
    published: [],
  },
  {
    name: 'anime-history',
    title: 'Anime, a sample',
    description: 'What 5,000 users of MyAnimeList have seen. It has no time order.',
    home: 'https://www.kaggle.com/datasets/CooperUnion/anime-recommendations-database',
    licence: 'Terms of its Kaggle page (believed CC0).',
    citation: 'CooperUnion. Anime recommendations database. Kaggle, 2016.',
    files: [{ name: 'anime-history.dat', format: 'unordered' }],
    published: [],
  },
];

/** The known dataset of that name, upper and lower case alike; undefined where there is none. */
export function knownDataset(name: string): DatasetInfo | undefined {
  const wanted = name.toLowerCase();
  return DATASETS.find((dataset) => dataset.name === wanted);
}
