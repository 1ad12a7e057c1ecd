/** How a file is laid out; `workers/data/read` reads each. */
export const FILE_FORMS = ['table', 'pairs', 'sequences', 'json', 'item-blocks', 'impressions'] as const;
export type FileForm = (typeof FILE_FORMS)[number];

/** What a reader knows of its files; options of an import count before it. */
export interface ReaderSettings {
  mapping?: Readonly<{ user?: string; item?: string; time?: string; rating?: string }>;
  header?: boolean;
  separator?: string;
  quotes?: boolean;
  time?: 'none' | 'line';
  timeFormat?: string;
  where?: string;
  encoding?: string;
}

/** A way to read files, by name: a layout, and what the files of one public dataset are like in it. */
export interface FileReader {
  name: string;
  /** What its files are like. */
  words: string;
  form: FileForm;
  settings: ReaderSettings;
}

const reader = (name: string, form: FileForm, words: string, settings: ReaderSettings = {}): FileReader => ({
  name,
  form,
  words,
  settings,
});

const columns = (mapping: NonNullable<ReaderSettings['mapping']>): ReaderSettings => ({ header: false, mapping });

/** Every reader, the layouts first. */
export const FILE_READERS: readonly FileReader[] = [
  reader('table', 'table', 'one interaction a line, with or without a header: CSV, TSV, .dat, .inter, Parquet, Arrow'),
  reader('pairs', 'pairs', '"user item" a line, in order of time: SASRec, BERT4Rec'),
  reader('sequences', 'sequences', '"user item item …", one line a user, in order of time: S3-Rec, LightGCN'),
  reader('json', 'json', 'JSON objects a line or in an array, sessions with lists, dicts of Python'),
  reader('item-blocks', 'item-blocks', '"ITEM:" and below it "user,rating,date": the Netflix prize'),
  reader('movielens-tabs', 'table', 'MovieLens 100K, u.data', {
    ...columns({ user: '1', item: '2', rating: '3', time: '4' }),
    separator: '\t',
  }),
  reader('movielens-dat', 'table', 'MovieLens 1M and 10M, ratings.dat', {
    ...columns({ user: '1', item: '2', rating: '3', time: '4' }),
    separator: '::',
  }),
  reader('movielens-csv', 'table', 'MovieLens 20M, 25M and 32M, ratings.csv', {
    header: true,
    mapping: { user: 'userId', item: 'movieId', rating: 'rating', time: 'timestamp' },
  }),
  reader('amazon-2014', 'json', 'Amazon 2014, reviews_*.json', {
    mapping: { user: 'reviewerID', item: 'asin', rating: 'overall', time: 'unixReviewTime' },
  }),
  reader(
    'amazon-2014-ratings',
    'table',
    'Amazon 2014, ratings_*.csv: user,item,rating,time',
    columns({ user: '1', item: '2', rating: '3', time: '4' }),
  ),
  reader('amazon-2018', 'json', 'Amazon 2018, *.json', {
    mapping: { user: 'reviewerID', item: 'asin', rating: 'overall', time: 'unixReviewTime' },
  }),
  reader(
    'amazon-2018-ratings',
    'table',
    'Amazon 2018, ratings *.csv: item,user,rating,time',
    columns({ user: '2', item: '1', rating: '3', time: '4' }),
  ),
  reader('amazon-2023', 'json', 'Amazon 2023, *.jsonl', {
    mapping: { user: 'user_id', item: 'parent_asin', rating: 'rating', time: 'timestamp' },
  }),
  reader('amazon-2023-csv', 'table', 'Amazon 2023, rating_only and splits, *.csv', {
    header: true,
    mapping: { user: 'user_id', item: 'parent_asin', rating: 'rating', time: 'timestamp' },
  }),
  reader('gowalla', 'table', 'Gowalla and Brightkite, check-ins: user, time, latitude, longitude, place', {
    ...columns({ user: '1', item: '5', time: '2' }),
    separator: '\t',
  }),
  reader('foursquare', 'table', 'Foursquare of New York and Tokyo, dataset_TSMC2014_*.txt', {
    ...columns({ user: '1', item: '2', time: '8' }),
    separator: '\t',
    encoding: 'latin1',
    quotes: false,
  }),
  reader('yelp', 'json', 'Yelp, yelp_academic_dataset_review.json', {
    mapping: { user: 'user_id', item: 'business_id', rating: 'stars', time: 'date' },
  }),
  reader(
    'lightgcn',
    'sequences',
    'Gowalla, Yelp2018 and Amazon-Book as LightGCN splits them: train.txt and --test test.txt',
  ),
  reader('steam', 'json', 'Steam reviews of McAuley, steam_reviews.json', {
    mapping: { user: 'username', item: 'product_id', time: 'date', rating: 'none' },
  }),
  reader('steam-200k', 'table', 'Steam of Kaggle, steam-200k.csv: its purchases, which have no times', {
    ...columns({ user: '1', item: '2' }),
    where: '3 = purchase',
    time: 'none',
  }),
  reader(
    'yoochoose',
    'table',
    'YooChoose, yoochoose-clicks.dat: session, time, item, category',
    columns({ user: '1', item: '3', time: '2' }),
  ),
  reader('diginetica', 'table', 'Diginetica, train-item-views.csv: sessions, ordered by timeframe', {
    header: true,
    separator: ';',
    mapping: { user: 'sessionId', item: 'itemId', time: 'timeframe' },
  }),
  reader('retailrocket', 'table', 'RetailRocket, events.csv: views, carts and purchases', {
    header: true,
    mapping: { user: 'visitorid', item: 'itemid', time: 'timestamp' },
  }),
  reader('lastfm-1k', 'table', 'LastFM 1K, userid-timestamp-artid-artname-traid-traname.tsv: artists', {
    ...columns({ user: '1', item: '3', time: '2' }),
    separator: '\t',
    quotes: false,
    where: '3 is not null',
  }),
  reader('lastfm-artists', 'table', 'LastFM of HetRec 2011, user_artists.dat, which has no times', {
    header: true,
    separator: '\t',
    mapping: { user: 'userID', item: 'artistID' },
    time: 'none',
  }),
  reader('kuairand', 'table', 'KuaiRand and KuaiRec, log_*.csv', {
    header: true,
    mapping: { user: 'user_id', item: 'video_id', time: 'time_ms' },
  }),
  reader('otto', 'json', 'OTTO, *.jsonl: sessions with events', {
    mapping: { user: 'session', item: 'aid', time: 'ts' },
  }),
  reader('h-and-m', 'table', 'H&M, transactions_train.csv', {
    header: true,
    mapping: { user: 'customer_id', item: 'article_id', time: 't_dat', rating: 'none' },
  }),
  reader('mind', 'impressions', 'MIND, behaviors.tsv: the clicks among its impressions', {
    timeFormat: 'month/day/year',
  }),
  reader('yambda', 'table', 'Yambda, flat *.parquet', {
    header: true,
    mapping: { user: 'uid', item: 'item_id', time: 'timestamp', rating: 'none' },
  }),
  reader('taobao', 'table', 'Taobao, UserBehavior.csv', columns({ user: '1', item: '2', time: '5' })),
  reader('goodreads', 'json', 'Goodreads, goodreads_interactions_*.json', {
    mapping: { user: 'user_id', item: 'book_id', rating: 'rating', time: 'date_added' },
  }),
  reader('bookcrossing', 'table', 'BookCrossing, BX-Book-Ratings.csv, which has no times', {
    header: true,
    separator: ';',
    encoding: 'latin1',
    mapping: { user: 'User-ID', item: 'ISBN', rating: 'Book-Rating' },
    time: 'none',
  }),
];

/** Where the files of a reader's public dataset are, under the terms that stand there; by the reader's name. */
export const READER_HOMES: Readonly<Record<string, string>> = {
  'amazon-2014': 'https://jmcauley.ucsd.edu/data/amazon/',
  'amazon-2014-ratings': 'https://jmcauley.ucsd.edu/data/amazon/',
  'amazon-2018': 'https://nijianmo.github.io/amazon/',
  'amazon-2018-ratings': 'https://nijianmo.github.io/amazon/',
  'amazon-2023': 'https://amazon-reviews-2023.github.io/',
  'amazon-2023-csv': 'https://amazon-reviews-2023.github.io/',
  gowalla: 'https://snap.stanford.edu/data/loc-gowalla.html',
  foursquare: 'https://sites.google.com/site/yangdingqi/home/foursquare-dataset',
  yelp: 'https://www.yelp.com/dataset',
  lightgcn: 'https://github.com/gusye1234/LightGCN-PyTorch',
  steam: 'https://cseweb.ucsd.edu/~jmcauley/datasets.html',
  'steam-200k': 'https://www.kaggle.com/datasets/tamber/steam-video-games',
  yoochoose: 'https://www.kaggle.com/datasets/chadgostopp/recsys-challenge-2015',
  diginetica: 'https://competitions.codalab.org/competitions/11161',
  retailrocket: 'https://www.kaggle.com/datasets/retailrocket/ecommerce-dataset',
  'lastfm-1k': 'http://ocelma.net/MusicRecommendationDataset/lastfm-1K.html',
  'lastfm-artists': 'https://grouplens.org/datasets/hetrec-2011/',
  kuairand: 'https://kuairand.com/',
  otto: 'https://github.com/otto-de/recsys-dataset',
  'h-and-m': 'https://www.kaggle.com/competitions/h-and-m-personalized-fashion-recommendations',
  mind: 'https://msnews.github.io/',
  yambda: 'https://huggingface.co/datasets/yandex/yambda',
  taobao: 'https://tianchi.aliyun.com/dataset/649',
  goodreads: 'https://cseweb.ucsd.edu/~jmcauley/datasets/goodreads.html',
};
