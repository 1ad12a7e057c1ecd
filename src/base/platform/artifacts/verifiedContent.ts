import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';

/** Up to this size content is checked before its first byte is given out. */
const CHECKED_FIRST_BYTES = 8 * 1024 ** 2;

/** The sha256 of a file's bytes, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

export interface VerifiedContent {
  /** Reads it from its start. */
  open(): Readable;
  sizeBytes: number;
  sha256: string;
  /** The bytes are not those of the sha256. Returns what the reader is told. */
  damaged(): Promise<Error>;
}

/**
 * All bytes of stored content, and never all of them when they are not those of the sha256: a small file is checked first, of a
 * large one the last bytes are held back until the rest is checked, and the stream ends with an error instead.
 */
export async function readVerified(content: VerifiedContent): Promise<Readable> {
  const { open, sizeBytes, sha256 } = content;
  if (sizeBytes > CHECKED_FIRST_BYTES) {
    return pipeline(open(), holdBack(content), () => {});
  }
  const bytes = await buffer(open());
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw await content.damaged();
  return Readable.from(bytes.byteLength === 0 ? [] : [bytes], { objectMode: false });
}

function holdBack({ sha256, damaged }: VerifiedContent): Transform {
  const hash = createHash('sha256');
  let held: Buffer | null = null;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      hash.update(chunk);
      const before = held;
      held = chunk;
      done(null, before ?? undefined);
    },
    flush(done: TransformCallback) {
      if (hash.digest('hex') === sha256) done(null, held ?? undefined);
      else damaged().then((error) => done(error), done);
    },
  });
}
