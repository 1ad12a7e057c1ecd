import { COSINE, SIMILARITY_BUCKETS } from '../fields/neighbourFields';
import { addBit, bitBytes, takeBits } from './nodeBits';
import { unsignedWord } from './words';

// The K nearest neighbours of sets of features, exactly (LEPORID Eq. 9): co-occurrences of one node at a time are counted over the holders
// of its features, in scratch as long as the nodes. Lanes take rows from a shared counter; each row is written by one lane
// and depends on nothing else, so the result does not depend on the lanes. Reference implementation: test/unit/graphs/nearestNeighbourGraphReference.ts.

/** Rows that a lane takes at a time. */
const ROWS_AT_ONCE: i32 = 8;

@inline
function similarityOf(rule: i32, common: f64, a: f64, b: f64): f64 {
  return rule === COSINE ? common / Math.sqrt(a * b) : common / (a + b - common);
}

@inline
function bucketOf(similarity: f64): usize {
  return <usize>min<i32>(<i32>(similarity * SIMILARITY_BUCKETS), SIMILARITY_BUCKETS - 1);
}

/**
 * For rows `first` to before `last`: `outCounts[row]` neighbours, ascending by index, in `outColumns` and `outValues` from `row` · `neighbours` on. `weights`
 * (features) of doubles or 0 where each is 1; `sizes` (nodes), the sum of a node's weights. `scratch` is zeroed before the
 * first call and left so.
 */
export function nearestNeighbours(
  lane: i32,
  lanes: i32,
  counter: usize,
  first: i32,
  last: i32,
  nodes: i32,
  offsets: usize,
  features: usize,
  holderOffsets: usize,
  holders: usize,
  weights: usize,
  sizes: usize,
  neighbours: i32,
  rule: i32,
  scratch: usize,
  laneBytes: usize,
  outCounts: usize,
  outColumns: usize,
  outValues: usize,
): void {
  const counts = scratch + <usize>lane * laneBytes;
  while (true) {
    const from = first + atomic.add<i32>(counter, ROWS_AT_ONCE);
    if (from >= last) return;
    const to = min(last, from + ROWS_AT_ONCE);
    for (let row = from; row < to; row++) {
      const start = <usize>row * <usize>neighbours;
      const columns = outColumns + (start << 2);
      const values = outValues + (start << 3);
      const own = offsets + (<usize>row << 2);
      const begin = features + ((<usize>load<u32>(own)) << 2);
      const end = features + ((<usize>load<u32>(own, 4)) << 2);
      let kept: i32 = 0;
      if (weights === 0) {
        const met = countPlain(begin, end, holderOffsets, holders, nodes, counts);
        kept = keepNearest<u32>(row, met, nodes, counts, sizes, neighbours, rule, columns, values);
      } else {
        const met = countWeighted(begin, end, holderOffsets, holders, weights, nodes, counts);
        kept = keepNearest<f64>(row, met, nodes, counts, sizes, neighbours, rule, columns, values);
      }
      store<i32>(outCounts + (<usize>row << 2), kept);
    }
  }
}

/** Counts common features by node; returns how many nodes were met, listed behind the counts. */
function countPlain(
  begin: usize,
  end: usize,
  holderOffsets: usize,
  holders: usize,
  nodes: i32,
  counts: usize,
): i32 {
  let work: u64 = 0;
  for (let at = begin; at < end; at += 4) {
    const feature = <usize>load<u32>(at);
    work += unsignedWord(holderOffsets, feature + 1) - unsignedWord(holderOffsets, feature);
  }
  let list = counts + ((<usize>nodes) << 3);
  const from = list;
  if (work > <u64>nodes) {
    // Nearly all nodes will be met: count without looking, then look.
    for (let at = begin; at < end; at += 4) {
      const feature = <usize>load<u32>(at);
      const stop = holders + (<usize>unsignedWord(holderOffsets, feature + 1) << 2);
      for (let holder = holders + (<usize>unsignedWord(holderOffsets, feature) << 2); holder < stop; holder += 4) {
        const count = counts + (<usize>load<u32>(holder) << 2);
        store<u32>(count, load<u32>(count) + 1);
      }
    }
    for (let other: i32 = 0; other < nodes; other++) {
      store<i32>(list, other);
      list += <usize>(unsignedWord(counts, other) !== 0) << 2;
    }
  } else {
    for (let at = begin; at < end; at += 4) {
      const feature = <usize>load<u32>(at);
      const stop = holders + (<usize>unsignedWord(holderOffsets, feature + 1) << 2);
      for (let holder = holders + (<usize>unsignedWord(holderOffsets, feature) << 2); holder < stop; holder += 4) {
        const other = load<u32>(holder);
        const count = counts + (<usize>other << 2);
        const before = load<u32>(count);
        store<u32>(list, other);
        list += <usize>(before === 0) << 2;
        store<u32>(count, before + 1);
      }
    }
  }
  return <i32>((list - from) >> 2);
}

/** The same with a weight a feature, summed in the order of the row's features. */
function countWeighted(
  begin: usize,
  end: usize,
  holderOffsets: usize,
  holders: usize,
  weights: usize,
  nodes: i32,
  counts: usize,
): i32 {
  let list = counts + ((<usize>nodes) << 3);
  const from = list;
  for (let at = begin; at < end; at += 4) {
    const feature = <usize>load<u32>(at);
    const weight = load<f64>(weights + (feature << 3));
    if (weight === 0) continue;
    const stop = holders + (<usize>unsignedWord(holderOffsets, feature + 1) << 2);
    for (let holder = holders + (<usize>unsignedWord(holderOffsets, feature) << 2); holder < stop; holder += 4) {
      const other = load<u32>(holder);
      const count = counts + (<usize>other << 3);
      const before = load<f64>(count);
      store<u32>(list, other);
      list += <usize>(before === 0) << 2;
      store<f64>(count, before + weight);
    }
  }
  return <i32>((list - from) >> 2);
}

/** Writes the nearest of the nodes met, ascending by index; returns how many. Leaves the counts at zero. */
function keepNearest<T>(
  row: i32,
  met: i32,
  nodes: i32,
  counts: usize,
  sizes: usize,
  neighbours: i32,
  rule: i32,
  columns: usize,
  values: usize,
): i32 {
  const list = counts + ((<usize>nodes) << 3);
  const similarities = (list + ((<usize>nodes) << 2) + 7) & ~7;
  const boundary = similarities + ((<usize>nodes) << 3);
  const histogram = boundary + ((<usize>nodes) << 3);
  const keptBits = histogram + 4 * SIMILARITY_BUCKETS;
  const tiedBits = keptBits + bitBytes(nodes);
  const size = load<f64>(sizes + (<usize>row << 3));
  memory.fill(histogram, 0, 4 * SIMILARITY_BUCKETS);
  for (let k: i32 = 0; k < met; k++) {
    const other = <usize>unsignedWord(list, k);
    const common = <f64>load<T>(counts + other * sizeof<T>());
    let similarity = similarityOf(rule, common, size, load<f64>(sizes + (other << 3)));
    if (other === <usize>row) similarity = 0;
    store<f64>(similarities + (<usize>k << 3), similarity);
    const bucket = histogram + (bucketOf(similarity) << 2);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
  // Similarities above `least` are in, of those that equal it the first `tied` by index.
  let least: f64 = 0;
  let tied: i32 = 0;
  if (met - 1 > neighbours) {
    let bucket: usize = SIMILARITY_BUCKETS;
    let above: i32 = 0;
    while (above < neighbours) {
      bucket -= 1;
      above += unsignedWord(histogram, bucket);
    }
    let inside: i32 = 0;
    for (let k: i32 = 0; k < met; k++) {
      const similarity = load<f64>(similarities + (<usize>k << 3));
      store<f64>(boundary + (<usize>inside << 3), similarity);
      inside += i32(bucketOf(similarity) === bucket);
    }
    const wanted = neighbours - (above - inside);
    least = greatest(boundary, inside, wanted);
    tied = wanted;
    for (let k: i32 = 0; k < inside; k++) tied -= i32(load<f64>(boundary + (<usize>k << 3)) > least);
  }
  for (let k: i32 = 0; k < met; k++) {
    const similarity = load<f64>(similarities + (<usize>k << 3));
    if (similarity > least) addBit(keptBits, nodes, unsignedWord(list, k));
    else if (similarity === least && tied > 0) addBit(tiedBits, nodes, unsignedWord(list, k));
  }
  if (tied > 0) {
    takeBits(tiedBits, nodes, boundary);
    for (let k: i32 = 0; k < tied; k++) addBit(keptBits, nodes, unsignedWord(boundary, k));
  }
  const kept = takeBits(keptBits, nodes, columns);
  for (let k: i32 = 0; k < kept; k++) {
    const other = <usize>unsignedWord(columns, k);
    const common = <f64>load<T>(counts + other * sizeof<T>());
    store<f64>(values + (<usize>k << 3), similarityOf(rule, common, size, load<f64>(sizes + (other << 3))));
  }
  for (let k: i32 = 0; k < met; k++) store<T>(counts + <usize>unsignedWord(list, k) * sizeof<T>(), <T>0);
  return kept;
}

/** The `place`-th greatest (from 1) of `count` doubles, by Hoare's selection; puts them in another order. */
function greatest(values: usize, count: i32, place: i32): f64 {
  let low: i32 = 0;
  let high = count - 1;
  const at = place - 1;
  while (low < high) {
    const pivot = load<f64>(values + (<usize>((low + high) >> 1) << 3));
    let i = low;
    let j = high;
    while (i <= j) {
      while (load<f64>(values + (<usize>i << 3)) > pivot) i++;
      while (load<f64>(values + (<usize>j << 3)) < pivot) j--;
      if (i <= j) {
        const left = load<f64>(values + (<usize>i << 3));
        store<f64>(values + (<usize>i << 3), load<f64>(values + (<usize>j << 3)));
        store<f64>(values + (<usize>j << 3), left);
        i++;
        j--;
      }
    }
    if (at <= j) high = j;
    else if (at >= i) low = i;
    else return pivot;
  }
  return load<f64>(values + (<usize>at << 3));
}
