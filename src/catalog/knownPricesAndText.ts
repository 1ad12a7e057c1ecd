import type { DatasetInfo, PaperUse } from './datasetInfo.ts';

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

export const PRICE_AND_TEXT_DATASETS: readonly DatasetInfo[] = [
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
