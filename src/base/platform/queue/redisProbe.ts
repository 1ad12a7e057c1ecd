import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { awaitServer, type StartPatience } from '../awaitServer.ts';

const CONNECT_MS = 5_000;

/** What waiting does not mend: a password or certificate that is wrong, a user without rights, a database that is not there. */
const LASTING = /\b(NOAUTH|WRONGPASS|NOPERM)\b|certificate|DB index/i;

/** What a Redis says of itself. */
export interface RedisFacts {
  version: string;
  /** What it does when its memory is full: with anything but `noeviction` it drops jobs. */
  maxmemoryPolicy: string;
}

/** `Redis at host:port`, without the password. */
export function describeRedis(url: string): string {
  return `Redis at ${new URL(url).host}`;
}

/**
 * Asks a Redis once, on a connection of its own.
 * @throws WarrenError UNAVAILABLE that says which, and what was wrong with it.
 */
export async function askRedis(url: string): Promise<RedisFacts> {
  // the default is the same in the built program, where a package of CommonJS has no other names
  const { default: Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | null = null; // connect itself says only that the connection is closed
  redis.on('error', (error) => (failure ??= coerceError(error)));
  try {
    await redis.connect();
    const information = await redis.info();
    return {
      version: /redis_version:(\S+)/.exec(information)?.[1] ?? 'of unknown version',
      maxmemoryPolicy: /maxmemory_policy:(\S+)/.exec(information)?.[1] ?? 'unknown',
    };
  } catch (thrown) {
    const cause = failure ?? coerceError(thrown);
    throw new WarrenError('UNAVAILABLE', `${describeRedis(url)}: ${explain(cause.message)}`, { cause });
  } finally {
    redis.disconnect();
  }
}

/** Redis answers who gives no password with a lesson on its protocol. */
function explain(message: string): string {
  if (/^NOAUTH\b/.test(message)) return 'it asks for a password; REDIS_URL has none (redis://:password@host:6379)';
  if (/^WRONGPASS\b/.test(message)) return 'the user or password was refused; correct REDIS_URL';
  if (/certificate/i.test(message)) {
    return `${message}; NODE_EXTRA_CA_CERTS names the file of a certificate authority of your own`;
  }
  return message;
}

/**
 * Resolves when Redis answers.
 * @throws WarrenError UNAVAILABLE when it does not within the patience, or at once for what waiting does not mend.
 */
export async function awaitRedis(url: string, patience: StartPatience): Promise<RedisFacts> {
  const lasts = (thrown: unknown) => LASTING.test(coerceError(thrown instanceof Error ? thrown.cause : thrown).message);
  return await awaitServer(
    () => askRedis(url),
    (thrown) => !lasts(thrown),
    patience,
  );
}
