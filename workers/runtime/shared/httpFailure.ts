import { type ErrorCode, WarrenError } from '#src/base/contracts/errors.ts';

/** Answers that another try may mend. */
const PASSING_STATUS = new Set([408, 425, 429]);
/** Answers of who does not let a caller in. */
const REFUSALS = new Set([401, 403]);
/** So long a store may refuse its links: keys that are replaced, and a clock that is set right, need less. */
const STORE_PATIENCE_MS = 5 * 60_000;

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
  const advice = REFUSALS.has(status) ? '; set WARREN_TOKEN to a token that may write' : '';
  return new WarrenError(code, `${what}: the API answered ${status} ${body}${advice}`);
}

/** A store that does not take the link which the API has signed. Each try gets another link. */
export class LinkRefusal extends WarrenError {
  constructor(what: string, { host, status, body }: { host: string; status: number; body: string }) {
    const advice = "the API's keys for it may be wrong, or the clock of either";
    super(
      'UNAVAILABLE',
      `${what}: the store at ${host} refused a signed link with ${status} ${body.slice(0, 500)}; ${advice}`,
    );
  }
}

/** The failure of a download from `url`, which may have led to a store. */
export async function downloadFailure(what: string, url: string, response: Response): Promise<WarrenError> {
  const body = await response.text().catch(() => '');
  const { status } = response;
  const { host } = new URL(response.url === '' ? url : response.url);
  const isElsewhere = response.redirected && host !== new URL(url).host;
  return isElsewhere && REFUSALS.has(status)
    ? new LinkRefusal(what, { host, status, body })
    : httpFailure(what, { status, body });
}

/** True for answers of the API that will not change; network errors and UNAVAILABLE pass. */
export function isFinalHttpFailure(thrown: unknown): boolean {
  return thrown instanceof WarrenError && thrown.code !== 'UNAVAILABLE';
}

/** As `isFinalHttpFailure`, for the tries of one download: a store that goes on refusing its links is final, too. */
export function finalDownloadFailures(nowMs: () => number = () => performance.now()): (thrown: unknown) => boolean {
  let refusedSinceMs: number | null = null;
  return (thrown) => {
    if (!(thrown instanceof LinkRefusal)) {
      refusedSinceMs = null;
      return isFinalHttpFailure(thrown);
    }
    refusedSinceMs ??= nowMs();
    return nowMs() - refusedSinceMs > STORE_PATIENCE_MS;
  };
}
