import type { DatasetSelection } from './datasetSelection.ts';

/** How the lines of a file are read; `workers/data` has a reader for each. */
export type DatasetFormat =
  /** `user item item …`, one line per user, items in time order. */
  | 'sequences'
  /** A header, then one interaction per line: CSV, TSV, RecBole's `.inter`. */
  | 'table'
  /** `user item rating time`, separated by spaces, without a header: LEPORID. */
  | 'user-item-rating-time'
  /** `user::item::rating::time`: MovieLens `.dat`. */
  | 'movielens-dat'
  /** `user⇥item⇥rating⇥time` without a header: MovieLens `u.data`. */
  | 'movielens-tabs'
  /** `user,item,rating,time` without a header: Amazon 2014 ratings. */
  | 'amazon-ratings'
  /** One JSON object a line: Amazon 2014 reviews. */
  | 'json-lines'
  /** A table without any time order, so that no leave-one-out split exists. */
  | 'unordered'
  /** UCR archive, `.tsv` or `.ts`: a label and the values of one series per line. */
  | 'series'
  /** CSV with date, open, high, low, close, volume. */
  | 'prices'
  /** TSV with split, label, id, text. */
  | 'text';

export interface DatasetFile {
  /** Name of the file, without `.gz`; it may be there gzipped or plain. */
  name: string;
  format: DatasetFormat;
  /** For series that come in two files: the one to test on. */
  test?: string;
}

/** How a paper prepares a dataset, as a selection; what it leaves open has the selection's defaults. */
export type Preprocessing = Partial<Omit<DatasetSelection, 'name'>>;

/** What a paper's table of statistics prints. */
export interface PublishedStatistics {
  source: string;
  users: number;
  items: number;
  interactions: number;
  /** Under which they should be met; as the files are, where it is missing. */
  preprocessing?: Preprocessing;
  /** Why they may differ from what is counted. */
  note?: string;
}

/** The sizes that a dataset of labelled series is known by; `source` says from where. */
export interface PublishedSeries {
  source: string;
  train: number;
  test: number;
  length: number;
  classes: number;
  note?: string;
}

/** How a paper uses a dataset. */
export interface PaperUse {
  source: string;
  /** Preprocessing and protocol, in words. */
  words: string;
  preprocessing: Preprocessing;
}

/** One file of a public home. */
export interface Download {
  url: string;
  /** Of the file as it is downloaded; null where its home may change it. */
  sha256: string | null;
  /** Largest size that is accepted, downloaded and unpacked. */
  maximumBytes: number;
  /** Members of a zip, and the name that each gets; otherwise the file is kept under the name `saveAs`. */
  unpack: Readonly<Record<string, string>> | null;
  saveAs: string;
}

/** A dataset that Warren knows by name. */
export interface DatasetInfo {
  name: string;
  /** Other names by which it may be asked for; configurations are recorded under `name`. */
  aliases?: readonly string[];
  title: string;
  description: string;
  holds: 'sequences' | 'series' | 'prices' | 'text';
  /** Its public home. */
  home: string;
  /** Terms under which it may be used, in words. */
  licence: string;
  citation: string;
  /** Files in which it may come, the preferred first. */
  files: readonly DatasetFile[];
  /** Files with titles and genres of its items, the preferred first. */
  itemFiles?: readonly string[];
  published: readonly PublishedStatistics[];
  publishedSeries?: PublishedSeries;
  uses?: readonly PaperUse[];
  /** Where it can be downloaded; empty where its home wants a person. */
  downloads: readonly Download[];
}
