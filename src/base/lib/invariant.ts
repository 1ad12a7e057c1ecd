/** Throws an `internal:` error when `condition` is false: our bug, never the caller's mistake. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`internal: ${message}`);
}
