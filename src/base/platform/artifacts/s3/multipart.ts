import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { invariant } from '#src/base/lib/invariant.ts';
import { type Connection, SAVED } from './connection.ts';

/** An upload in parts that was begun and neither completed nor given up. */
export interface UnfinishedUpload {
  key: string;
  id: string;
  ageMs: number;
}

/** A part of a copy, in bytes. */
const COPIED_PART = 1024 ** 3;

/** S3's multipart uploads: objects that are made of parts. */
export function multipartUploads({ client, ask, find, ageOf, bucket, prefix, at, keyOf, copySource }: Connection) {
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
