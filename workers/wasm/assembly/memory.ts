/** A 32-bit word of a job's or a lane's structure. */
@inline
export function field(structure: usize, index: u32): u32 {
  return load<u32>(structure + (<usize>index << 2));
}

@inline
export function setField(structure: usize, index: u32, value: u32): void {
  store<u32>(structure + (<usize>index << 2), value);
}

/** The highest set bit of a mask, or -1. */
export function oldestMatch(mask: usize, words: u32): i32 {
  for (let w: i32 = <i32>words - 1; w >= 0; w--) {
    const bits = load<u32>(mask + ((<usize>w) << 2));
    if (bits) return w * 32 + 31 - <i32>clz<u32>(bits);
  }
  return -1;
}
