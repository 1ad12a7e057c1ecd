import type { DatasetInfo, PaperUse } from './datasetInfo.ts';

const STEAM_PURCHASES_HOME = 'https://www.kaggle.com/datasets/tamber/steam-video-games';
const ANIME_HOME = 'https://www.kaggle.com/datasets/CooperUnion/anime-recommendations-database';
const ANIME_CITATION = 'CooperUnion. Anime recommendations database. Kaggle, 2016.';
const LEPORID_CITATION =
  'Y. Zhang, et al. Initialization matters: regularizing manifold-informed initialization for neural recommendation systems. KDD 2021.';

const LEPORID: PaperUse = {
  source: 'LEPORID, Section 5.1',
  words:
    'users and items with fewer than 20 interactions removed; 70 % / 10 % / 20 % of each user in time; candidates without those seen in training and validation',
  preprocessing: { core: 20, split: 'ratio-by-time' },
};

export const GAME_AND_ANIME_DATASETS: readonly DatasetInfo[] = [
  {
    name: 'steam-leporid',
    title: 'Steam, as in LEPORID',
    description:
      'Games that users of Steam played, with times: the whole set of LEPORID, `user item rating time` a line.',
    holds: 'sequences',
    home: 'https://github.com/zhangynnancy/Leporid_DLR2',
    licence: 'Public for research, without a licence text; cite the source.',
    citation: LEPORID_CITATION,
    files: [
      { name: 'steam-leporid.txt', format: 'user-item-rating-time' },
      { name: 'steam-leporid.inter', format: 'table' },
      { name: 'steam-leporid.csv', format: 'table' },
    ],
    published: [
      {
        source: 'LEPORID, Table 2',
        users: 33_699,
        items: 6_253,
        interactions: 1_470_329,
        preprocessing: { core: 20 },
      },
    ],
    uses: [LEPORID],
    downloads: [],
  },
  {
    name: 'steam-leporid-validation',
    title: 'Steam, validation slice of LEPORID',
    description: "About a tenth of the Steam interactions of LEPORID: its authors' validation slice, short sequences.",
    holds: 'sequences',
    home: 'https://github.com/zhangynnancy/Leporid_DLR2',
    licence: 'Public for research, without a licence text; cite the source.',
    citation: LEPORID_CITATION,
    files: [{ name: 'steam-leporid-validation.txt', format: 'user-item-rating-time' }],
    published: [],
    downloads: [
      {
        url: 'https://raw.githubusercontent.com/zhangynnancy/Leporid_DLR2/main/dataset/steam/steam_validate.txt',
        sha256: '99a85a52c1f1e1bb62944f49953cb3956a0ba3a2f347a58efc4b2a930233ebc5',
        maximumBytes: 64 * 2 ** 20,
        unpack: null,
        saveAs: 'steam-leporid-validation.txt',
      },
    ],
  },
  {
    name: 'steam-purchases',
    title: 'Steam purchases',
    description: 'Games that users of Steam bought. It has no time order.',
    holds: 'sequences',
    home: STEAM_PURCHASES_HOME,
    licence: 'Terms of its Kaggle page.',
    citation: `Tamber. Steam video games. ${STEAM_PURCHASES_HOME}`,
    files: [{ name: 'steam-purchases.dat', format: 'unordered' }],
    itemFiles: ['steam-games.dat'],
    published: [],
    downloads: [],
  },
  {
    name: 'anime-leporid',
    title: 'Anime, as in LEPORID',
    description:
      'What users of MyAnimeList have seen and rated: `rating.csv` of its Kaggle page. It has no time order.',
    holds: 'sequences',
    home: ANIME_HOME,
    licence: 'Terms of its Kaggle page (believed CC0).',
    citation: ANIME_CITATION,
    files: [
      { name: 'anime-rating.csv', format: 'unordered' },
      { name: 'anime-leporid.txt', format: 'user-item-rating-time' },
      { name: 'anime-leporid.inter', format: 'table' },
    ],
    itemFiles: ['anime.csv', 'anime-info.csv'],
    published: [
      {
        source: 'LEPORID, Table 2',
        users: 47_143,
        items: 6_535,
        interactions: 6_143_751,
        preprocessing: { core: 20 },
      },
    ],
    uses: [LEPORID],
    downloads: [],
  },
  {
    name: 'anime-history',
    title: 'Anime, a sample',
    description: 'What 5,000 users of MyAnimeList have seen. It has no time order.',
    holds: 'sequences',
    home: ANIME_HOME,
    licence: 'Terms of its Kaggle page (believed CC0).',
    citation: ANIME_CITATION,
    files: [{ name: 'anime-history.dat', format: 'unordered' }],
    itemFiles: ['anime-info.dat'],
    published: [],
    downloads: [],
  },
];
