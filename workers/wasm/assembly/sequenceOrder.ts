// Packed sequences as lanes go through them: `order` has them longest first, a lane has every lanes-th.

/** Tokens of a sequence. */
@inline
export function lengthOf(offsets: usize, sequence: i32): i32 {
  const at = offsets + (<usize>sequence << 2);
  return i32.load(at, 4) - i32.load(at);
}

/** The sequence of a lane's `rank`-th. */
@inline
export function sequenceAt(order: usize, lane: i32, lanes: i32, rank: i32): i32 {
  return i32.load(order + (<usize>(lane + rank * lanes) << 2));
}
