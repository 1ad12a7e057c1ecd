/** The server is away or cannot answer now: the same request may go through later. */
export class Unreachable extends Error {}

/** The server refuses the request for good; the message says why. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What of the input is refused, where the server says it. */
    readonly path: string | null = null,
  ) {
    super(message);
  }
}

/** The server was restored from a backup: what it had got may be gone. */
export class Restored extends Error {}

/** The run has ended at the server: somebody cancelled it, or finished it elsewhere. */
export class RunEnded extends Error {}

/** The server may take the same request later: a token is given or a deleted run restored. */
const WAITS = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

/** The reason of a refusal that stands for good. @throws what may pass, RunEnded, and defects */
export function judged(error: unknown): string {
  if (!(error instanceof Refused)) throw error;
  if (WAITS.has(error.code)) throw new Unreachable(error.message);
  if (error.code === 'CONFLICT') throw new RunEnded(error.message);
  return error.message;
}

/** What an error of `fetch` says, with its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const isUntrusted = 'code' in cause && /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(String(cause.code));
  const advice = isUntrusted ? '; NODE_EXTRA_CA_CERTS names a file with the certificates to trust' : '';
  return `${error.message} (${cause.message}${advice})`;
}
