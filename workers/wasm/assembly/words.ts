// Lists of 32-bit words.

/** Counts and places below 2^31. */
@inline
export function word(address: usize, index: i32): i32 {
  return load<i32>(address + (<usize>index << 2));
}

@inline
export function unsignedWord(address: usize, index: usize): u32 {
  return load<u32>(address + (index << 2));
}
