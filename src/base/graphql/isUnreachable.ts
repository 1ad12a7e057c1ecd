/** Codes of errors that say the database cannot be reached now: Prisma's, Node's and PostgreSQL's. */
const UNREACHABLE = new Set([
  'UNAVAILABLE',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);
/** What Prisma's driver calls the same. */
const UNREACHABLE_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
/** Errors of the pool itself have no code. */
const POOL_MESSAGES = /timeout exceeded when trying to connect|Connection terminated/;

/** SQLSTATE of a statement that found no space: the disk is full, or memory. */
const NO_SPACE = new Set(['53100', '53200']);
/** What PostgreSQL says of a full disk without that: also to a connection that it cannot open, for which it writes a file. */
const NO_SPACE_MESSAGES = /No space left on device|could not write init file/;

/** Whether the database has no space left for what it was asked to do. */
export function isOutOfSpace(error: unknown): boolean {
  return someCause(
    error,
    ({ code, originalCode, message }) =>
      [code, originalCode].some((one) => typeof one === 'string' && NO_SPACE.has(one)) ||
      (typeof message === 'string' && NO_SPACE_MESSAGES.test(message)),
  );
}

/** SQLSTATE of a statement that ran into its limit. */
const STATEMENT_ENDED = '57014';

/** Whether the database or the way to it is what failed, or nothing in its pool of connections became free. */
export function isUnreachable(error: unknown): boolean {
  return someCause(error, (cause) => {
    const { code, originalCode, kind, message } = cause;
    return (
      [code, originalCode].some((one) => typeof one === 'string' && UNREACHABLE.has(one)) ||
      (typeof kind === 'string' && UNREACHABLE_KINDS.has(kind)) ||
      (typeof message === 'string' && POOL_MESSAGES.test(message))
    );
  });
}

/** Whether the database ended a statement because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return someCause(error, ({ code, originalCode }) => code === STATEMENT_ENDED || originalCode === STATEMENT_ENDED);
}

interface Cause {
  code: unknown;
  originalCode: unknown;
  kind: unknown;
  message: unknown;
}

/** Looks into causes, since drivers wrap one another's errors. */
function someCause(error: unknown, meets: (cause: Cause) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const [code, originalCode, kind, message] = ['code', 'originalCode', 'kind', 'message'].map((name): unknown =>
    Reflect.get(error, name),
  );
  if (meets({ code, originalCode, kind, message })) return true;
  return ['cause', 'meta', 'driverAdapterError'].some((name) => someCause(Reflect.get(error, name), meets, depth + 1));
}
