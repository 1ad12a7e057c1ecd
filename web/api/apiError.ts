/** What the API, or the way to it, answered instead of data. */
export class ApiError extends Error {
  /** A code of Warren's API, or `NETWORK` when no answer came. */
  readonly code: string;
  /** Where in the input: `parameters.sigmaW`, `filter`. */
  readonly path: string | null;

  constructor(code: string, message: string, path: string | null = null) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.path = path;
  }
}

/** Whether no answer came at all: the API is away, as opposed to having refused. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NETWORK';
}

/** Whether the API answers, but not its database. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAVAILABLE';
}
