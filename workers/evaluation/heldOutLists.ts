import { type HeldOut, targetsOf } from './heldOut.ts';
import { hitMetrics, type TopNMetrics } from './hitMetrics.ts';
import { TopList } from './topList.ts';

/** The best items of each user that is asked for, among its candidates: filled user by user. */
export class HeldOutLists {
  readonly listLength: number;
  /** (users, listLength) Items recommended, best first; -1 where there are fewer. */
  readonly lists: Int32Array;
  readonly #part: HeldOut;
  readonly #list: TopList;
  readonly #excludedIn: Int32Array;

  /** Items that do not score above `floor` are not recommended. */
  constructor(
    part: HeldOut,
    { listLength, itemCount, floor }: { listLength: number; itemCount: number; floor: number },
  ) {
    this.listLength = listLength;
    this.lists = new Int32Array(part.users.length * listLength).fill(-1);
    this.#part = part;
    this.#list = new TopList(listLength, floor);
    this.#excludedIn = new Int32Array(itemCount).fill(-1);
  }

  /** Takes the scores (items) of the `index`-th user: the best candidates, ties to the lowest item. */
  take(index: number, scores: Float64Array | Float32Array): void {
    const excludedIn = this.#excludedIn;
    for (const item of this.#part.excluded(index)) excludedIn[item] = index;
    const list = this.#list;
    let threshold = list.threshold;
    for (let item = 0; item < scores.length; item++) {
      if (!(scores[item]! > threshold) || excludedIn[item] === index) continue;
      list.offer(item, scores[item]!);
      threshold = list.threshold;
    }
    list.drain(this.lists.subarray(index * this.listLength, (index + 1) * this.listLength));
  }

  /** (users) Metrics of the first `cutoff` places of each list; `cutoff` is at most the length of the lists. */
  metrics(cutoff: number): TopNMetrics[] {
    return Array.from(this.#part.users, (_, index) => {
      const truth = new Set(targetsOf(this.#part, index));
      const ranks: number[] = [];
      for (let place = 0; place < cutoff; place++) {
        if (truth.has(this.lists[index * this.listLength + place]!)) ranks.push(place + 1);
      }
      return hitMetrics(ranks, { truthCount: truth.size, cutoff });
    });
  }
}
