/** The server is away or cannot answer now: the same request may go through later. */
export class Unreachable extends Error {}

/** The server refuses the request for good; the message says why. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What an error of `fetch` says, with its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
