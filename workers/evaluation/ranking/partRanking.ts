import { type HeldOut, targetsOf } from './heldOut.ts';
import { hitMetrics, type TopNMetrics } from './hitMetrics.ts';
import { emptyRankedUsers, type RankedUsers, setPlace } from './rankedUsers.ts';
import { targetPlace } from './targetPlace.ts';
import { TopList } from './topList.ts';

/** The ranking of each user that a part asks for, among its candidates: filled user by user. */
export class PartRanking {
  /** Ranks of the targets where each user has one, and the lists. */
  readonly ranked: RankedUsers;
  readonly #part: HeldOut;
  readonly #list: TopList;
  /** (items) Number of the ranking, from 1, that last left an item out. */
  readonly #leftOut: Int32Array;

  /** Items that do not score above `floor` are ranked, but not recommended. `listLength` may be 0. */
  constructor(
    part: HeldOut,
    { listLength, itemCount, floor }: { listLength: number; itemCount: number; floor: number },
  ) {
    this.ranked = emptyRankedUsers(part.users.length, listLength);
    this.#part = part;
    this.#list = new TopList(listLength, floor);
    this.#leftOut = new Int32Array(itemCount);
  }

  /** Takes the scores (items) of the `index`-th user: the best candidates, ties to the lowest item. */
  take(index: number, scores: Float64Array | Float32Array): void {
    const excluded = this.#part.excluded(index);
    const targets = targetsOf(this.#part, index);
    if (this.#part.isSingle) setPlace(this.ranked, index, targetPlace(scores, targets[0]!, excluded));
    const { listLength, lists } = this.ranked;
    if (listLength === 0) return;
    const [leftOut, number, list] = [this.#leftOut, index + 1, this.#list];
    for (const item of excluded) leftOut[item] = number;
    for (const item of targets) leftOut[item] = 0;
    let threshold = list.threshold;
    for (let item = 0; item < scores.length; item++) {
      if (!(scores[item]! > threshold) || leftOut[item] === number) continue;
      list.offer(item, scores[item]!);
      threshold = list.threshold;
    }
    list.drain(lists.subarray(index * listLength, (index + 1) * listLength));
  }
}

/** (users) Metrics of the first `cutoff` places of each ranking. */
export function userMetrics(part: HeldOut, { ranks, lists, listLength }: RankedUsers, cutoff: number): TopNMetrics[] {
  return Array.from(part.users, (_, index) => {
    if (part.isSingle) return hitMetrics(ranks[index]! > 0 ? [ranks[index]!] : [], { truthCount: 1, cutoff });
    const truth = new Set(targetsOf(part, index));
    const hits: number[] = [];
    for (let place = 0; place < Math.min(cutoff, listLength); place++) {
      if (truth.has(lists[index * listLength + place]!)) hits.push(place + 1);
    }
    return hitMetrics(hits, { truthCount: truth.size, cutoff });
  });
}
