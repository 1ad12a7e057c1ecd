/** Writes the last `length` items before place `end` of `items` to `to`, oldest first, -1 in front where there are fewer. */
export function lastItems(items: Uint32Array, end: number, to: Int32Array): void {
  to.fill(-1);
  const first = Math.max(0, end - to.length);
  to.set(items.subarray(first, end), to.length - (end - first));
}
