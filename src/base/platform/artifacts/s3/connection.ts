import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type BucketPlace, placeText } from '../storePlace.ts';

/** A connection has this long to open, and a byte to come. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 60_000;
/** A request is tried so often, with growing waits between. */
const TRIES = 5;

/** Answers that another try does not mend: somebody has to change a setting. */
const WRONG_SETTING = new Set([
  'NoSuchBucket',
  'AccessDenied',
  'AllAccessDisabled',
  'Forbidden',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidBucketName',
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'CredentialsProviderError',
  'InvalidToken',
  'ExpiredToken',
  'MethodNotAllowed',
]);

/** Keys that do not say how long they hold are looked for again so often. */
const KEYS_HOLD_MS = 60_000;
/** What the library takes off the time that keys hold. */
const RENEWED_BEFORE_MS = 300_000;

/**
 * Keys as the library finds them, which it would read from a file once and for all: a program that puts fresh ones there, as those
 * for signing in at Amazon do, would not be heeded before a restart.
 */
function freshKeys(region: string | undefined) {
  return async () => {
    const client = new S3Client({ region: region ?? 'us-east-1', ...{ ignoreCache: true } });
    const keys = await client.config.credentials();
    client.destroy();
    return { ...keys, expiration: keys.expiration ?? new Date(Date.now() + KEYS_HOLD_MS + RENEWED_BEFORE_MS) };
  };
}

/** Whatever content says it is: no browser may take it for a page, even where a server ignores what a link asks for. */
export const SAVED = { ContentType: 'application/octet-stream', ContentDisposition: 'attachment' };

/** The client of a bucket, and how objects are named to it. */
export type Connection = ReturnType<typeof openConnection>;

/** The client of a bucket. Its keys are found as all of AWS's programs find theirs: variables, files, roles. */
export function openConnection(place: BucketPlace) {
  const client = new S3Client({
    region: place.region,
    ...(place.endpoint === null ? {} : { endpoint: place.endpoint, forcePathStyle: true }),
    credentials: freshKeys(place.region),
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    // servers of other makers do not know the checksums that Amazon's adds; Warren has the sha256 of everything
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  let aheadMs = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const date = answeredAt(result.response);
      if (date !== null) aheadMs = date - Date.now();
      return result;
    },
    { step: 'deserialize', name: 'clockOfServer', priority: 'low' },
  );

  const translated = (thrown: unknown): WarrenError => failureOf(placeText(place), place.endpoint, thrown);
  const { bucket, prefix } = place;
  return {
    client,
    bucket,
    /** Of all objects of the store. */
    prefix,
    /** How a request names an object by its key below the prefix. */
    at: (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` }),
    /** The key below the prefix of an object that the server names. */
    keyOf: (key: string | undefined): string => (key ?? '').slice(prefix.length),
    /** How a request names the object that it copies. */
    copySource: (key: string): string => `${bucket}/${prefix}${key}`.split('/').map(encodeURIComponent).join('/'),
    /** What the server answers. @throws WarrenError that names the store. */
    ask: <Answer>(answer: Promise<Answer>): Promise<Answer> =>
      answer.catch((thrown: unknown) => {
        throw translated(thrown);
      }),
    /** The same; null when what was asked for is not there, or the server has no such operation. */
    find: <Answer>(answer: Promise<Answer>): Promise<Answer | null> =>
      answer.catch((thrown: unknown) => {
        if (isAbsent(thrown)) return null;
        throw translated(thrown);
      }),
    /** Milliseconds since then, by the server's clock. */
    ageOf: (then: Date | undefined): number => Date.now() + aheadMs - (then?.getTime() ?? 0),
    /** The server's clock: links count from there. */
    now: (): Date => new Date(Date.now() + aheadMs),
  };
}

const answerSchema = z.object({ headers: z.object({ date: z.string() }) });

/** When the server says that it answered; null where it does not say. */
function answeredAt(response: unknown): number | null {
  const date = Date.parse(answerSchema.safeParse(response).data?.headers.date ?? '');
  return Number.isNaN(date) ? null : date;
}

function isAbsent(thrown: unknown): boolean {
  if (!(thrown instanceof S3ServiceException) || thrown.name === 'NoSuchBucket') return false;
  return thrown.$metadata.httpStatusCode === 404 || thrown.name === 'NotImplemented';
}

/** What stores say that are full: HTTP's 507, MinIO's, Ceph's and Amazon's words for it. */
const NO_ROOM = new Set([
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
  'InsufficientCapacity',
]);

function isFull(thrown: unknown): boolean {
  if (!(thrown instanceof S3ServiceException)) return false;
  return thrown.$metadata.httpStatusCode === 507 || NO_ROOM.has(thrown.name);
}

function failureOf(place: string, endpoint: string | null, thrown: unknown): WarrenError {
  const { name, message } = coerceError(thrown);
  const where = `the artifact store ${place} at ${endpoint ?? "Amazon's address"}`;
  if (WRONG_SETTING.has(name)) {
    const advice = 'look at WARREN_ARTIFACTS, AWS_ENDPOINT_URL_S3, AWS_REGION, and the keys';
    return new WarrenError('UNAVAILABLE', `${where} refuses (${name}: ${message}): ${advice}`, { cause: thrown });
  }
  if (isFull(thrown)) {
    const advice = 'make room there, or give it more';
    return new WarrenError('NO_ROOM', `${where} has no room left (${name}: ${message}): ${advice}`, { cause: thrown });
  }
  return new WarrenError('UNAVAILABLE', `${where} does not answer as it should (${name}: ${message})`, {
    cause: thrown,
  });
}
