import { Readable } from 'node:stream';

/** What an answer's body brings, as a stream of Node's; ending it early gives the body up. */
export function nodeStream(body: ReadableStream<Uint8Array>): Readable {
  return Readable.from(body, { objectMode: false });
}
