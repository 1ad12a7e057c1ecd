/** Closes a switch over a union: the compiler proves that no case is missing. */
export function assertNever(value: never): never {
  throw new Error(`internal: unexpected value ${JSON.stringify(value)}`);
}
