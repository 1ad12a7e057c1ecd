import { resolve } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';

/** A bucket of S3-compatible storage. Its keys come from AWS's own variables, files and roles. */
export interface BucketPlace {
  bucket: string;
  /** Before every key: empty, or ending in a slash. */
  prefix: string;
  /** Address of the server; null: Amazon's. */
  endpoint: string | null;
  region: string;
}

/** Where artifacts are kept: the path of a folder, or a bucket. */
export type StorePlace = string | BucketPlace;

/** Where the environment says that a bucket is. */
export interface BucketSettings {
  /** AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL. */
  endpoint: string | null;
  /** AWS_REGION, else AWS_DEFAULT_REGION. */
  region: string | null;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX_PART = /^[\w.=-]+$/;

/**
 * The place that a person has written: `s3://bucket/prefix`, or the path of a folder.
 * @throws WarrenError BAD_INPUT for an address of another kind, or a bucket's name that cannot be one.
 */
export function storePlace(written: string, settings: BucketSettings): StorePlace {
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/.exec(written) ?? [];
  if (scheme === undefined) return resolve(written);
  const [bucket = '', ...parts] = rest.replace(/\/+$/, '').split('/');
  if (scheme !== 's3' || !BUCKET.test(bucket)) {
    throw badInput(`expected a folder, or s3://bucket/prefix, got ${JSON.stringify(written)}`, 'artifacts');
  }
  if (parts.some((part) => !PREFIX_PART.test(part) || part === '.' || part === '..')) {
    const expected = 'a prefix of letters, digits, ".", "_", "-" and "=" between single slashes';
    throw badInput(`expected ${expected}, got ${JSON.stringify(parts.join('/'))}`, 'artifacts');
  }
  const prefix = parts.length === 0 ? '' : `${parts.join('/')}/`;
  return { bucket, prefix, endpoint: settings.endpoint, region: settings.region ?? 'us-east-1' };
}

/** The place as a person would write it. */
export function placeText(place: StorePlace): string {
  return typeof place === 'string' ? place : `s3://${place.bucket}/${place.prefix}`.replace(/\/$/, '');
}
