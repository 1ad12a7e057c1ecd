import type { DatasetInfo } from './datasetInfo.ts';
import { AMAZON_DATASETS } from './knownAmazon.ts';
import { GAME_AND_ANIME_DATASETS } from './knownGamesAndAnime.ts';
import { MOVIELENS_DATASETS } from './knownMovielens.ts';
import { PRICE_AND_TEXT_DATASETS } from './knownPricesAndText.ts';
import { UCR_DATASETS, ucrDataset } from './knownUcr.ts';

/** Every dataset that Warren knows, in the order in which they are shown. */
export const DATASETS: readonly DatasetInfo[] = [
  ...AMAZON_DATASETS,
  ...MOVIELENS_DATASETS,
  ...GAME_AND_ANIME_DATASETS,
  ...UCR_DATASETS,
  ...PRICE_AND_TEXT_DATASETS,
];

/**
 * The known dataset of that name or alias, upper and lower case alike; undefined where there is none. Any `ucr/NAME` is one.
 */
export function knownDataset(name: string): DatasetInfo | undefined {
  const wanted = name.toLowerCase();
  const called = ({ name: own, aliases = [] }: DatasetInfo) => own.toLowerCase() === wanted || aliases.includes(wanted);
  return DATASETS.find(called) ?? ucrDataset(name);
}
