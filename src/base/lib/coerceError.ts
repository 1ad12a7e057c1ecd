/** Any thrown value as an `Error`; strings become the message, other values their JSON. */
export function coerceError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  if (typeof thrown === 'string') return new Error(thrown);
  try {
    return new Error(JSON.stringify(thrown) ?? String(thrown));
  } catch {
    return new Error(String(thrown));
  }
}
