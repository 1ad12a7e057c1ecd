import type { DatasetInfo, PaperUse, Download, PublishedStatistics } from './datasetInfo.ts';
import { GAME_AND_ANIME_DATASETS } from './knownGamesAndAnime.ts';
import { MOVIELENS_DATASETS } from './knownMovielens.ts';
import { UCR_DATASETS, ucrDataset } from './knownUcr.ts';
import { addedDatasets } from './modules/addedContent.ts';

const MEBIBYTE = 2 ** 20;
const OVERREC: PaperUse = {
  source: 'OverRec, Section VI-A',
  words: 'implicit feedback; users and items with fewer than 5 interactions removed; last 50 items; leave-one-out',
  preprocessing: { core: 5 },
};
const SEVO: PaperUse = {
  source: 'SEvo, Section 5.1',
  words: 'users and items with fewer than 5 interactions removed; leave-one-out; sequences of 50 (STOSA: 100) items',
  preprocessing: { core: 5 },
};
const REVIEWS = 'https://snap.stanford.edu/data/amazon/productGraph/categoryFiles';

function amazon(
  name: string,
  title: string,
  of: {
    category: string;
    /** In lower case. */
    alias?: string;
    published: readonly PublishedStatistics[];
    uses: readonly PaperUse[];
    download: Download;
  },
): DatasetInfo {
  return {
    name,
    ...(of.alias === undefined ? {} : { aliases: [of.alias] }),
    title: `Amazon ${title} (2014, 5-core)`,
    description: `Reviews of Amazon's category ${title}, 1996 to 2014, users and items with at least 5 interactions. As files of one user per line in time order (S3-Rec), as the review files (JSON lines), or as the ratings of the whole category (CSV), of which the 5-core is smaller than the published one.`,
    holds: 'sequences',
    home: 'https://cseweb.ucsd.edu/~jmcauley/datasets/amazon/links.html',
    licence: 'Public for research, without a licence text; cite the source.',
    citation:
      'J. McAuley, C. Targett, Q. Shi, A. van den Hengel. Image-based recommendations on styles and substitutes. SIGIR 2015.',
    files: [
      { name: `${name}.txt`, format: 'sequences' },
      { name: `${of.category}.txt`, format: 'sequences' },
      { name: `${name}.inter`, format: 'table' },
      { name: `reviews_${of.category}_5.json`, format: 'json-lines' },
      { name: `ratings_${of.category}.csv`, format: 'amazon-ratings' },
    ],
    published: of.published,
    uses: of.uses,
    downloads: [of.download],
  };
}

function plainText(url: string, saveAs: string, sha256: string | null): Download {
  return { url, sha256, maximumBytes: 64 * MEBIBYTE, unpack: null, saveAs };
}

const AMAZON_DATASETS: readonly DatasetInfo[] = [
  amazon('amazon-beauty', 'Beauty', {
    category: 'Beauty',
    published: [
      { source: 'OverRec, Table I', users: 22_363, items: 12_101, interactions: 198_502, preprocessing: { core: 5 } },
      { source: 'SEvo, Table 2', users: 22_363, items: 12_101, interactions: 198_502, preprocessing: { core: 5 } },
    ],
    uses: [OVERREC, SEVO],
    download: plainText(
      'https://raw.githubusercontent.com/RUCAIBox/CIKM2020-S3Rec/master/data/Beauty.txt',
      'amazon-beauty.txt',
      '226cce9c3105299ca0db9615d7d3fb32b3175e90da43100ae352599f0f0107b8',
    ),
  }),
  amazon('amazon-clothing', 'Clothing, Shoes and Jewelry', {
    category: 'Clothing_Shoes_and_Jewelry',
    alias: 'amazon-clothing-shoes-and-jewelry',
    published: [
      { source: 'OverRec, Table I', users: 39_387, items: 23_033, interactions: 278_677, preprocessing: { core: 5 } },
    ],
    uses: [OVERREC],
    download: {
      url: `${REVIEWS}/reviews_Clothing_Shoes_and_Jewelry_5.json.gz`,
      sha256: null,
      maximumBytes: 512 * MEBIBYTE,
      unpack: null,
      saveAs: 'reviews_Clothing_Shoes_and_Jewelry_5.json.gz',
    },
  }),
  amazon('amazon-toys', 'Toys and Games', {
    category: 'Toys_and_Games',
    alias: 'amazon-toys-and-games',
    published: [
      {
        source: 'OverRec, Table I',
        users: 19_413,
        items: 11_925,
        interactions: 167_597,
        preprocessing: { core: 5 },
        note: 'one user and one item more than SEvo: the padding entry counted',
      },
      { source: 'SEvo, Table 2', users: 19_412, items: 11_924, interactions: 167_597, preprocessing: { core: 5 } },
    ],
    uses: [OVERREC, SEVO],
    download: plainText(
      'https://raw.githubusercontent.com/RUCAIBox/CIKM2020-S3Rec/master/data/Toys_and_Games.txt',
      'amazon-toys.txt',
      null,
    ),
  }),
  amazon('amazon-tools-and-home-improvement', 'Tools and Home Improvement', {
    category: 'Tools_and_Home_Improvement',
    alias: 'amazon-tools',
    published: [],
    uses: [SEVO],
    download: plainText(
      'https://raw.githubusercontent.com/zfan20/GraphDA/main/data/Tools_and_Home_Improvement.txt',
      'amazon-tools-and-home-improvement.txt',
      'da9823825eb73e2093e85946a935e5f4818420a89b07b63e04414ce720056f9c',
    ),
  }),
];

const RNTK: PaperUse = {
  source: 'RNTK, Section 5',
  words: 'next values of the daily price from windows of the values before',
  preprocessing: {},
};
const PRICES = {
  holds: 'prices',
  home: 'https://github.com/CNuge/kaggle-code',
  licence: 'Terms of the Kaggle page "S&P 500 stock data" (believed CC0).',
  citation: 'C. Nugent. S&P 500 stock data. Kaggle, 2018.',
  published: [],
  uses: [RNTK],
} as const;

function prices(name: string, symbol: string, of: { description: string; sha256: string }): DatasetInfo {
  return {
    ...PRICES,
    name,
    title: `${symbol} daily prices`,
    description: of.description,
    files: [{ name: `${name}.csv`, format: 'prices' }],
    downloads: [
      {
        url: `https://raw.githubusercontent.com/CNuge/kaggle-code/master/stock_data/SandP_5yr/${symbol}_data.csv`,
        sha256: of.sha256,
        maximumBytes: 2 ** 20,
        unpack: null,
        saveAs: `${name}.csv`,
      },
    ],
  };
}

const PRICE_AND_TEXT_DATASETS: readonly DatasetInfo[] = [
  prices('goog-daily-2014-2018', 'GOOG', {
    description: "Google's class C share, 2014-03-27 to 2018-02-07: open, high, low, close, volume.",
    sha256: '6bf738cf40b866f2dfb9c879e5b7062fc75eaeaf8c8112ea1b03a71ad833c8da',
  }),
  prices('googl-daily-2013-2018', 'GOOGL', {
    description: "Google's class A share, 2013-02-08 to 2018-02-07, adjusted for the split.",
    sha256: 'cc64e0d78e0846d94d24907db8da3600ab1b8081615db9eb419653873801afa9',
  }),
  {
    name: 'imdb-reviews-6k',
    title: 'IMDB reviews, a sample of 6,000',
    description: 'Film reviews, positive (1) or negative (0): 1,500 of each in the training part and in the test part.',
    holds: 'text',
    home: 'https://ai.stanford.edu/~amaas/data/sentiment/',
    licence: 'Free for research, without a licence text; cite the source.',
    citation: 'A. L. Maas, et al. Learning word vectors for sentiment analysis. ACL 2011.',
    files: [{ name: 'imdb-reviews-6k.tsv', format: 'text' }],
    published: [],
    uses: [
      {
        source: 'Featurizing, Appendix F.1',
        words: 'the whole set has 25,000 reviews for training and 25,000 for testing; this is a sample of both',
        preprocessing: {},
      },
    ],
    downloads: [],
  },
];

/** Warren's own datasets, in the order in which they are shown; `allDatasets` has those of modules, too. */
export const DATASETS: readonly DatasetInfo[] = [
  ...AMAZON_DATASETS,
  ...MOVIELENS_DATASETS,
  ...GAME_AND_ANIME_DATASETS,
  ...UCR_DATASETS,
  ...PRICE_AND_TEXT_DATASETS,
];

/** Every dataset that this process knows by name: Warren's own, then those that modules of WARREN_KINDS add. */
export function allDatasets(): readonly DatasetInfo[] {
  return [...DATASETS, ...addedDatasets()];
}

/**
 * The known dataset of that name or alias, upper and lower case alike; undefined where there is none. Any `ucr/NAME` is one.
 */
export function knownDataset(name: string): DatasetInfo | undefined {
  const wanted = name.toLowerCase();
  const called = ({ name: own, aliases = [] }: DatasetInfo) => own.toLowerCase() === wanted || aliases.includes(wanted);
  return allDatasets().find(called) ?? ucrDataset(name);
}
