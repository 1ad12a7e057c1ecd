import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { create as contentDisposition } from 'content-disposition';
import { invariant } from '#src/base/lib/invariant.ts';
import type { ByteRange, LinkOptions } from '../artifactStore.ts';
import type { BucketPlace } from '../storePlace.ts';
import { openConnection, SAVED, type Connection } from './connection.ts';

/** An upload in parts that was begun and neither completed nor given up. */
interface UnfinishedUpload {
  key: string;
  id: string;
  ageMs: number;
}

/** A part of a copy, in bytes. */
const COPIED_PART = 1024 ** 3;

/** S3's multipart uploads: objects that are made of parts. */
function multipartUploads({ client, ask, find, ageOf, bucket, prefix, at, keyOf, copySource }: Connection) {
  async function begin(key: string): Promise<string> {
    const { UploadId } = await ask(client.send(new CreateMultipartUploadCommand({ ...at(key), ...SAVED })));
    invariant(UploadId !== undefined, 'an upload in parts has an id');
    return UploadId;
  }

  async function complete(key: string, id: string, etags: readonly string[]): Promise<void> {
    const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    await ask(
      client.send(new CompleteMultipartUploadCommand({ ...at(key), UploadId: id, MultipartUpload: { Parts } })),
    );
  }

  async function abort(key: string, id: string): Promise<void> {
    await find(client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId: id })));
  }

  return {
    /** Begins an upload in parts. Returns its id. */
    begin,

    /** Sends a part, counted from 1. Returns what completes the upload. */
    async part(upload: { key: string; id: string }, number: number, bytes: Uint8Array): Promise<string> {
      const command = { ...at(upload.key), UploadId: upload.id, PartNumber: number, Body: bytes };
      const { ETag } = await ask(client.send(new UploadPartCommand({ ...command, ContentLength: bytes.byteLength })));
      return ETag ?? '';
    },

    /** Makes the object of its parts, at once. */
    complete,

    /** Gives an upload up, with its parts. Nothing happens when it is not there. */
    abort,

    /** Copies an object that is too large to be copied at once. */
    async copyInParts(source: string, target: string, sizeBytes: number): Promise<void> {
      const id = await begin(target);
      try {
        const etags: string[] = [];
        for (let start = 0; start < sizeBytes; start += COPIED_PART) {
          const CopySourceRange = `bytes=${start}-${Math.min(start + COPIED_PART, sizeBytes) - 1}`;
          const PartNumber = etags.length + 1;
          const command = { ...at(target), UploadId: id, PartNumber, CopySource: copySource(source), CopySourceRange };
          const { CopyPartResult } = await ask(client.send(new UploadPartCopyCommand(command)));
          etags.push(CopyPartResult?.ETag ?? '');
        }
        await complete(target, id, etags);
      } catch (thrown) {
        await abort(target, id);
        throw thrown;
      }
    },

    /** Uploads in parts that are under way, or were left. */
    async unfinished(): Promise<UnfinishedUpload[]> {
      const found: UnfinishedUpload[] = [];
      let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
      while (marker !== null) {
        const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
          ...{ Bucket: bucket, Prefix: prefix, ...marker },
        });
        const page = await find(client.send(command));
        if (page === null) break;
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (Key?.startsWith(prefix) !== true) continue;
          found.push({ key: keyOf(Key), id: UploadId ?? '', ageMs: ageOf(Initiated) });
        }
        const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
        const more = page.IsTruncated === true && KeyMarker !== undefined;
        marker = more ? { KeyMarker, ...(UploadIdMarker === undefined ? {} : { UploadIdMarker }) } : null;
      }
      return found;
    },
  };
}

/** An object of a bucket. */
export interface ObjectFacts {
  /** Below the store's prefix. */
  key: string;
  sizeBytes: number;
  /** Milliseconds since it was written, by the server's clock. */
  ageMs: number;
}

/** What the store asks of a bucket; all keys are below its prefix. Errors are WarrenErrors that name the store. */
export type Bucket = ReturnType<typeof openBucket>;

/** S3 copies this much at once at most, in bytes; more goes in parts. */
const COPIED_AT_ONCE = 5 * 1024 ** 3;

/** The operations on a bucket, each retried by the library where that can help. */
export function openBucket(place: BucketPlace) {
  const connection = openConnection(place);
  const { client, ask, find, ageOf, now, at, keyOf, copySource } = connection;
  const multipart = multipartUploads(connection);
  return {
    /** Size and age; null when there is no such object. */
    async head(key: string): Promise<ObjectFacts | null> {
      const found = await find(client.send(new HeadObjectCommand(at(key))));
      return found === null ? null : { key, sizeBytes: found.ContentLength ?? 0, ageMs: ageOf(found.LastModified) };
    },

    /** Bytes as they come, and how many there will be; null when there is no such object. */
    async read(key: string, range?: ByteRange): Promise<{ body: Readable; sizeBytes: number } | null> {
      const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
      const found = await find(client.send(new GetObjectCommand({ ...at(key), ...Range })));
      if (found === null) return null;
      invariant(found.Body instanceof Readable, 'an object of S3 is read as a stream');
      return { body: found.Body, sizeBytes: found.ContentLength ?? 0 };
    },

    async put(key: string, bytes: Uint8Array): Promise<void> {
      await ask(
        client.send(new PutObjectCommand({ ...at(key), ...SAVED, Body: bytes, ContentLength: bytes.byteLength })),
      );
    },

    /** Nothing happens when it is not there. */
    async remove(key: string): Promise<void> {
      await find(client.send(new DeleteObjectCommand(at(key))));
    },

    /** Copies within the bucket, without the bytes coming here. */
    async copy(source: string, target: string, sizeBytes: number): Promise<void> {
      if (sizeBytes > COPIED_AT_ONCE) await multipart.copyInParts(source, target, sizeBytes);
      else await ask(client.send(new CopyObjectCommand({ ...at(target), CopySource: copySource(source) })));
    },

    /** All objects whose keys begin so, in batches. */
    async *list(prefix: string): AsyncGenerator<ObjectFacts[]> {
      let ContinuationToken: string | undefined;
      do {
        const Prefix = `${place.prefix}${prefix}`;
        const more = ContinuationToken === undefined ? {} : { ContinuationToken };
        const page = await ask(client.send(new ListObjectsV2Command({ Bucket: place.bucket, Prefix, ...more })));
        yield (page.Contents ?? []).map(({ Key, Size, LastModified }) => ({
          ...{ key: keyOf(Key), sizeBytes: Size ?? 0, ageMs: ageOf(LastModified) },
        }));
        ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },

    ...multipart,

    /** An address that gives the object to anybody for a while, as bytes to be saved. */
    async link(key: string, { fileName, seconds }: LinkOptions): Promise<string> {
      const command = new GetObjectCommand({
        ...at(key),
        ResponseContentDisposition: contentDisposition(fileName, { type: 'attachment' }),
        ResponseContentType: SAVED.ContentType,
        ResponseCacheControl: 'private, no-store',
      });
      return await getSignedUrl(client, command, { expiresIn: seconds, signingDate: now() });
    },
  };
}
