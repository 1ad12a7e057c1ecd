// Compiled form of workers/kernels/pattern/patternNumbers.ts: numbers different patterns by an open hash table in the shared memory.
import {
  CAPACITY, KEYS, MASK_WORDS, NEW_KEYS, NEW_SLOTS, NEW_VALUES, PATTERN_VALUES, SIZE, SLOTS,
} from '../fields/searchFields';
import { field, setField } from './memory';

export const NO_ROOM: u32 = 0xffff_ffff;

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

/** Address of the slot that holds the pattern's number, or of the free one where it belongs. */
@inline
function patternSlot(job: usize, scratch: usize, lengths: u32, mask: usize): usize {
  const words = field(job, MASK_WORDS);
  const stride: usize = (words + 1) << 2;
  const slots = <usize>field(scratch, SLOTS);
  const keys = <usize>field(scratch, KEYS);
  const last = field(scratch, CAPACITY) * 2 - 1;
  let slot = hash(lengths, mask, words) & last;
  while (true) {
    const at = slots + ((<usize>slot) << 2);
    const number = load<i32>(at);
    if (number < 0) return at;
    const key = keys + (<usize>number) * stride;
    if (load<u32>(key) === lengths && sameMask(key + 4, mask, words)) return at;
    slot = (slot + 1) & last;
  }
}

/** Whether the table has the pattern. */
export function has(job: usize, scratch: usize, lengths: u32, mask: usize): bool {
  return load<i32>(patternSlot(job, scratch, lengths, mask)) >= 0;
}

/** The number of a pattern; a new one gets the table's size. NO_ROOM where the table is full. */
export function numberOf(job: usize, scratch: usize, lengths: u32, mask: usize): u32 {
  const slot = patternSlot(job, scratch, lengths, mask);
  const found = load<i32>(slot);
  if (found >= 0) return <u32>found;
  const number = field(scratch, SIZE);
  if (number === field(scratch, CAPACITY)) return NO_ROOM;
  const words = field(job, MASK_WORDS);
  store<u32>(slot, number);
  const key = <usize>field(scratch, KEYS) + (<usize>number) * ((words + 1) << 2);
  store<u32>(key, lengths);
  memory.copy(key + 4, mask, words << 2);
  setField(scratch, SIZE, number + 1);
  return number;
}

/** Moves the table to the room for twice the patterns that the host has reserved. */
export function enlarge(job: usize, scratch: usize): void {
  const words = field(job, MASK_WORDS);
  const stride: usize = (words + 1) << 2;
  const size = field(scratch, SIZE);
  const keys = <usize>field(scratch, NEW_KEYS);
  const values = <usize>field(scratch, NEW_VALUES);
  const slots = <usize>field(scratch, NEW_SLOTS);
  const count = field(scratch, CAPACITY) * 4;
  memory.copy(keys, <usize>field(scratch, KEYS), (<usize>size) * stride);
  memory.copy(values, <usize>field(scratch, PATTERN_VALUES), (<usize>size) << 3);
  memory.fill(slots, 0xff, (<usize>count) << 2);
  for (let number: u32 = 0; number < size; number++) {
    const key = keys + (<usize>number) * stride;
    let slot = hash(load<u32>(key), key + 4, words) & (count - 1);
    while (load<i32>(slots + ((<usize>slot) << 2)) >= 0) slot = (slot + 1) & (count - 1);
    store<u32>(slots + ((<usize>slot) << 2), number);
  }
  setField(scratch, KEYS, <u32>keys);
  setField(scratch, PATTERN_VALUES, <u32>values);
  setField(scratch, SLOTS, <u32>slots);
  setField(scratch, CAPACITY, field(scratch, CAPACITY) * 2);
}
