import { type ErrorCode, WarrenError } from '#src/contracts/errors.ts';

/** Answers that another try may mend. */
const PASSING_STATUS = new Set([408, 425, 429]);

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'LEASE_LOST',
  413: 'TOO_LARGE',
  422: 'DATA_ERROR',
};

/** An HTTP answer that is not a success as an error; UNAVAILABLE for those that another try may mend. */
export function httpFailure(what: string, answer: { status: number; body: string }): WarrenError {
  const { status } = answer;
  const body = answer.body.slice(0, 500);
  const code = status >= 500 || PASSING_STATUS.has(status) ? 'UNAVAILABLE' : (CODES[status] ?? 'INTERNAL');
  const advice = status === 401 || status === 403 ? '; set WARREN_TOKEN to a token that may write' : '';
  return new WarrenError(code, `${what}: the API answered ${status} ${body}${advice}`);
}

/** True for answers of the API that will not change; network errors and UNAVAILABLE pass. */
export function isFinalHttpFailure(thrown: unknown): boolean {
  return thrown instanceof WarrenError && thrown.code !== 'UNAVAILABLE';
}
