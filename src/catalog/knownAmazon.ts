import type { DatasetInfo, Download, PaperUse, PublishedStatistics } from './datasetInfo.ts';

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

export const AMAZON_DATASETS: readonly DatasetInfo[] = [
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
