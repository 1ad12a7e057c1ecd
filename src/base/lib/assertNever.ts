/** Closes a `switch` over a union: the compiler refuses a missing case, and a value from outside fails loudly. */
export function assertNever(value: never): never {
  throw new Error(`internal: unexpected value ${JSON.stringify(value)}`);
}
