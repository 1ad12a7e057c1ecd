/** Writes its lane's number + 1 to word `lane` of `to`, and how many lanes there are after them: what tests ask. */
export function probeLanes(lane: i32, lanes: i32, to: usize): void {
  store<i32>(to + (<usize>lane << 2), lane + 1);
  if (lane == 0) store<i32>(to + (<usize>lanes << 2), lanes);
}

/** Traps in the lane `trapping`: what tests ask. */
export function probeTrap(lane: i32, lanes: i32, trapping: i32): void {
  if (lane == trapping) unreachable();
}
