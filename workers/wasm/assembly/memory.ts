import { ARENA_TOP } from '../fields/searchFields';

/** A 32-bit word of the job's or a thread's structure. */
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

/** Takes `bytes` from the end of the memory that all threads share; 0 when there is no more. Nothing is ever given back. */
export function allocate(job: usize, bytes: u64): usize {
  const rounded = (bytes + 15) & ~(<u64>15);
  if (rounded > 0xfff0_0000) return 0;
  const top = job + (ARENA_TOP << 2);
  while (true) {
    const start: u32 = atomic.load<u32>(top);
    const end = <u64>start + rounded;
    while ((<u64>memory.size() << 16) < end) {
      const missing = (end + 0xffff - (<u64>memory.size() << 16)) >> 16;
      if (memory.grow(<i32>missing) < 0) return 0;
    }
    if (atomic.cmpxchg<u32>(top, start, <u32>end) === start) return start;
  }
}
