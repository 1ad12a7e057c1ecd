import type { PlaceCounts } from './targetPlace.ts';

/** All items by scores that are the same for every user. */
export interface ScoreOrder {
  readonly scores: Float64Array;
  /** (items) Greatest score first, ties to the lowest item. */
  readonly items: Uint32Array;
  /** Where an item stands among all. */
  countsOf(item: number): PlaceCounts;
}

/** Orders items by scores (items), none of which is NaN. */
export function scoreOrder(scores: Float64Array): ScoreOrder {
  const items = Uint32Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const places = new Uint32Array(items.length);
  /** (places) First and last place of the items with the same score. */
  const [firsts, lasts] = [new Uint32Array(items.length), new Uint32Array(items.length)];
  for (let first = 0; first < items.length; ) {
    let end = first + 1;
    while (end < items.length && scores[items[end]!] === scores[items[first]!]) end++;
    firsts.fill(first, first, end);
    lasts.fill(end - 1, first, end);
    first = end;
  }
  for (const [place, item] of items.entries()) places[item] = place;
  return {
    scores,
    items,
    countsOf(item) {
      const place = places[item]!;
      return { greater: firsts[place]!, equalBefore: place - firsts[place]!, equalAfter: lasts[place]! - place };
    },
  };
}
