// A list of the best items as a heap of 64-bit keys with the weakest on top: score in the upper half, so that keys compare
// as scores do, and the complement of the item below, so that equal scores go to the lowest item.

/** Bits that compare, unsigned, as the floats do; both zeros alike. */
export function keyOf(score: f32, item: u32): u64 {
  const bits = reinterpret<u32>(score + <f32>0);
  const ordered: u32 = bits >> 31 ? ~bits : bits | 0x8000_0000;
  return ((<u64>ordered) << 32) | <u64>~item;
}

export function itemOf(key: u64): u32 {
  return ~(<u32>key);
}

export function scoreOf(key: u64): f32 {
  const ordered = <u32>(key >> 32);
  return reinterpret<f32>(ordered >> 31 ? ordered & 0x7fff_ffff : ~ordered);
}

/** Puts a key at the end of a heap that has `size` keys. */
export function push(heap: usize, size: u32, key: u64): void {
  let hole = size;
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    const above = load<u64>(heap + ((<usize>parent) << 3));
    if (above < key) break;
    store<u64>(heap + ((<usize>hole) << 3), above);
    hole = parent;
  }
  store<u64>(heap + ((<usize>hole) << 3), key);
}

/** Replaces the weakest key. */
export function replaceWeakest(heap: usize, size: u32, key: u64): void {
  let hole: u32 = 0;
  while (true) {
    let child: u32 = 2 * hole + 1;
    if (child >= size) break;
    let least = load<u64>(heap + ((<usize>child) << 3));
    if (child + 1 < size) {
      const right = load<u64>(heap + ((<usize>(child + 1)) << 3));
      if (right < least) {
        least = right;
        child += 1;
      }
    }
    if (least >= key) break;
    store<u64>(heap + ((<usize>hole) << 3), least);
    hole = child;
  }
  store<u64>(heap + ((<usize>hole) << 3), key);
}

/** Writes the items best first to `list` (length), -1 behind them. The heap is used up. */
export function drain(heap: usize, size: u32, list: usize, length: u32): void {
  for (let at = size; at < length; at++) store<i32>(list + ((<usize>at) << 2), -1);
  while (size > 0) {
    size -= 1;
    store<u32>(list + ((<usize>size) << 2), itemOf(load<u64>(heap)));
    replaceWeakest(heap, size, load<u64>(heap + ((<usize>size) << 3)));
  }
}
