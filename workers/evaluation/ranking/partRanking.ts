import { type HeldOut, targetsOf } from './heldOut.ts';
import { hitMetrics, type TopNMetrics } from './hitMetrics.ts';
import { emptyRankedUsers, type RankedUsers, setPlace } from './rankedUsers.ts';
import type { ScoreOrder } from './scoreOrder.ts';
import { placeWithout, targetPlace } from './targetPlace.ts';
import { TopList } from './topList.ts';

/** The ranking of each user that a part asks for, among its candidates: filled user by user. */
export class PartRanking {
  /** Ranks of the targets where each user has one, and the lists. */
  readonly ranked: RankedUsers;
  readonly #part: HeldOut;
  readonly #list: TopList;
  readonly #floor: number;
  /** (items) Number of the ranking, from 1, that last left an item out. */
  readonly #leftOut: Int32Array;
  /** (items) The items that the ranking leaves out, each once. */
  readonly #different: Uint32Array;

  /** Items that do not score above `floor` are ranked, but not recommended. `listLength` may be 0. */
  constructor(
    part: HeldOut,
    { listLength, itemCount, floor }: { listLength: number; itemCount: number; floor: number },
  ) {
    this.ranked = emptyRankedUsers(part.users.length, listLength);
    this.#part = part;
    this.#list = new TopList(listLength, floor);
    this.#floor = floor;
    this.#leftOut = new Int32Array(itemCount);
    this.#different = new Uint32Array(itemCount);
  }

  /** Takes the scores (items) of the `index`-th user: the best candidates, ties to the lowest item. */
  take(index: number, scores: Float64Array | Float32Array): void {
    const [leftOut, number, list] = [this.#leftOut, index + 1, this.#list];
    const excluded = this.#leaveOut(this.#part.excluded(index), number);
    const targets = targetsOf(this.#part, index);
    if (this.#part.isSingle) setPlace(this.ranked, index, targetPlace(scores, targets[0]!, excluded));
    const { listLength, lists } = this.ranked;
    if (listLength === 0) return;
    for (let at = 0; at < targets.length; at++) leftOut[targets[at]!] = 0;
    let threshold = list.threshold;
    for (let item = 0; item < scores.length; item++) {
      if (!(scores[item]! > threshold) || leftOut[item] === number) continue;
      list.offer(item, scores[item]!);
      threshold = list.threshold;
    }
    list.drain(lists.subarray(index * listLength, (index + 1) * listLength));
  }

  /** As `take`, with scores that are the same for every user: what others have is not looked at again. */
  takeOrdered(index: number, { scores, items, countsOf }: ScoreOrder): void {
    const [leftOut, number] = [this.#leftOut, index + 1];
    const excluded = this.#leaveOut(this.#part.excluded(index), number);
    const targets = targetsOf(this.#part, index);
    if (this.#part.isSingle) {
      const target = targets[0]!;
      setPlace(this.ranked, index, placeWithout({ scores, target, excluded, among: countsOf(target) }));
    }
    for (let at = 0; at < targets.length; at++) leftOut[targets[at]!] = 0;
    const { listLength, lists } = this.ranked;
    const end = (index + 1) * listLength;
    let at = index * listLength;
    for (let place = 0; at < end && place < items.length; place++) {
      const item = items[place]!;
      if (!(scores[item]! > this.#floor)) break;
      if (leftOut[item] !== number) lists[at++] = item;
    }
  }

  /** Marks items as left out of a ranking. Returns each of them once: a view, until the next call. */
  #leaveOut(items: Uint32Array, number: number): Uint32Array {
    const [leftOut, different] = [this.#leftOut, this.#different];
    let count = 0;
    for (let at = 0; at < items.length; at++) {
      const item = items[at]!;
      if (leftOut[item] === number) continue;
      leftOut[item] = number;
      different[count++] = item;
    }
    return different.subarray(0, count);
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
