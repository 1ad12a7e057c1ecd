import type { DatasetInfo } from './datasetInfo.ts';
import { AMAZON_DATASETS } from './knownAmazon.ts';
import { GAME_AND_ANIME_DATASETS } from './knownGamesAndAnime.ts';
import { MOVIELENS_DATASETS } from './knownMovielens.ts';
import { PRICE_AND_TEXT_DATASETS } from './knownPricesAndText.ts';
import { UCR_DATASETS, ucrDataset } from './knownUcr.ts';
import { addedDatasets } from './modules/addedContent.ts';

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
