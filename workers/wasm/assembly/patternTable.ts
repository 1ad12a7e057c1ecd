// Compiled form of workers/kernels/pattern/patternNumbers.ts: numbers different patterns by an open hash table in the shared memory.
import { CAPACITY, KEYS, MASK_WORDS, PATTERN_VALUES, SIZE, SLOTS, SLOT_COUNT } from '../fields/searchFields';
import { allocate, field, setField } from './memory';

export const NO_MEMORY: u32 = 0xffff_ffff;

function hash(lengths: u32, mask: usize, words: u32): u32 {
  let h: u32 = lengths * 0x9e3779b1;
  for (let w: u32 = 0; w < words; w++) {
    h ^= load<u32>(mask + (w << 2));
    h = (h ^ (h >> 15)) * 0x85ebca6b;
    h ^= h >> 13;
  }
  h *= 0xc2b2ae35;
  return h ^ (h >> 16);
}

function sameMask(a: usize, b: usize, words: u32): bool {
  for (let w: u32 = 0; w < words; w++) if (load<u32>(a + (w << 2)) !== load<u32>(b + (w << 2))) return false;
  return true;
}

/** The number of a pattern; a new one gets the table's size. NO_MEMORY when the table cannot grow. */
export function numberOf(job: usize, lane: usize, lengths: u32, mask: usize): u32 {
  const words = field(job, MASK_WORDS);
  const stride: usize = (words + 1) << 2;
  const slots = <usize>field(lane, SLOTS);
  const last = field(lane, SLOT_COUNT) - 1;
  let slot = hash(lengths, mask, words) & last;
  let keys = <usize>field(lane, KEYS);
  while (true) {
    const number = load<i32>(slots + ((<usize>slot) << 2));
    if (number < 0) break;
    const key = keys + (<usize>number) * stride;
    if (load<u32>(key) === lengths && sameMask(key + 4, mask, words)) return number;
    slot = (slot + 1) & last;
  }
  const number = field(lane, SIZE);
  if (number === field(lane, CAPACITY) && !grow(job, lane, stride)) return NO_MEMORY;
  keys = <usize>field(lane, KEYS);
  store<u32>(slots + ((<usize>slot) << 2), number);
  const key = keys + (<usize>number) * stride;
  store<u32>(key, lengths);
  memory.copy(key + 4, mask, words << 2);
  setField(lane, SIZE, number + 1);
  if ((number + 1) * 2 > field(lane, SLOT_COUNT) && !rehash(job, lane, words, stride)) return NO_MEMORY;
  return number;
}

function grow(job: usize, lane: usize, stride: usize): bool {
  const capacity = field(lane, CAPACITY);
  const keys = allocate(job, (<u64>capacity) * 2 * stride);
  const values = allocate(job, (<u64>capacity) * 2 * 8);
  if (!keys || !values) return false;
  memory.copy(keys, <usize>field(lane, KEYS), (<usize>capacity) * stride);
  memory.copy(values, <usize>field(lane, PATTERN_VALUES), (<usize>capacity) << 3);
  setField(lane, KEYS, <u32>keys);
  setField(lane, PATTERN_VALUES, <u32>values);
  setField(lane, CAPACITY, capacity * 2);
  return true;
}

function rehash(job: usize, lane: usize, words: u32, stride: usize): bool {
  const count = field(lane, SLOT_COUNT) * 2;
  const slots = allocate(job, (<u64>count) << 2);
  if (!slots) return false;
  memory.fill(slots, 0xff, (<usize>count) << 2);
  const keys = <usize>field(lane, KEYS);
  const size = field(lane, SIZE);
  for (let number: u32 = 0; number < size; number++) {
    const key = keys + (<usize>number) * stride;
    let slot = hash(load<u32>(key), key + 4, words) & (count - 1);
    while (load<i32>(slots + ((<usize>slot) << 2)) >= 0) slot = (slot + 1) & (count - 1);
    store<u32>(slots + ((<usize>slot) << 2), number);
  }
  setField(lane, SLOTS, <u32>slots);
  setField(lane, SLOT_COUNT, count);
  return true;
}
