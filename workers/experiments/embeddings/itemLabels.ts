import type { MapSettings } from '#src/catalog/parameters/mapParameters.ts';
import { FILM_CATEGORIES } from '#src/catalog/published/filmCategories.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ExperimentContext } from '../experiment.ts';

/** One label an item, made of its genres. */
export interface ItemLabels {
  /** Most frequent first. */
  names: readonly string[];
  /** (items) Place in `names`; -1 where no genre is known. */
  labelOf: Int32Array;
  /** (items) */
  titles: readonly string[];
}

/** What MovieLens 100K calls a film whose genres it does not know. */
const UNKNOWN = 'unknown';
const CATEGORY_OF = new Map(FILM_CATEGORIES.flatMap((genres) => genres.map((genre) => [genre, genres.join(', ')])));

/** The category that most of the genres are in; of equals, that of the genre listed first. Null where there is none. */
function categoryOf(genres: readonly string[]): string | null {
  const votes = new Map<string, number>();
  for (const genre of genres) {
    const category = CATEGORY_OF.get(genre) ?? genre;
    votes.set(category, (votes.get(category) ?? 0) + 1);
  }
  const most = Math.max(...votes.values());
  return [...votes].find(([, count]) => count === most)?.[0] ?? null;
}

/** Labels of the dataset's items. Throws DATA_ERROR where fewer than two are known. */
export async function itemLabels(
  { data }: Pick<ExperimentContext<unknown>, 'data'>,
  how: MapSettings['labels'],
): Promise<ItemLabels> {
  const dataset = await data.sequences();
  const known = await data.items();
  const labels = dataset.itemIds.map((id) => {
    const genres = (known.get(id)?.genres ?? []).filter((genre) => genre !== UNKNOWN);
    return how === 'genres' ? (genres[0] ?? null) : categoryOf(genres);
  });
  const counts = new Map<string, number>();
  for (const label of labels) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  if (counts.size < 2) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": ${counts.size} genres of its items are known; expected at least 2`,
      { path: 'dataset.name' },
    );
  }
  const names = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
  const places = new Map(names.map((name, place) => [name, place]));
  return {
    names,
    labelOf: Int32Array.from(labels, (label) => (label === null ? -1 : places.get(label)!)),
    titles: dataset.itemIds.map((id) => known.get(id)?.title ?? id),
  };
}
