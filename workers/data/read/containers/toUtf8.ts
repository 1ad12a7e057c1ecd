import { TextDecoder } from 'node:util';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';

const UTF8 = /^utf-?8$/i;

/** Throws BAD_INPUT for an encoding that there is not. */
export function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined) return;
  try {
    new TextDecoder(encoding);
  } catch {
    throw badInput(
      `"${encoding}" is no encoding: expected utf-8, latin1, windows-1252, windows-1251, utf-16le, gbk, big5, shift_jis, euc-kr or another of the WHATWG's list`,
      '--encoding',
    );
  }
}

function markOf(first: Buffer): string | null {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be';
  return null;
}

/**
 * Chunks of text as UTF-8, from the encoding that is named or that a byte order mark tells; without either they are passed on as
 * they are. Throws DATA_ERROR for bytes that are no text in it.
 */
export async function* toUtf8(
  chunks: AsyncIterable<Buffer>,
  { path, encoding }: { path: string; encoding?: string | undefined },
): AsyncGenerator<Buffer> {
  checkEncoding(encoding);
  let decoder: TextDecoder | null = null;
  let begun = false;
  const decode = (chunk: Buffer | null): Buffer => {
    try {
      return Buffer.from(decoder!.decode(chunk ?? undefined, { stream: chunk !== null }));
    } catch {
      const message = `${path} has bytes that are no text in ${decoder!.encoding}. Name another encoding: --encoding`;
      throw new WarrenError('DATA_ERROR', message, { path });
    }
  };
  for await (const chunk of chunks) {
    if (!begun) {
      begun = true;
      const named = encoding !== undefined && !UTF8.test(encoding) ? encoding : markOf(chunk);
      decoder = named === null ? null : new TextDecoder(named, { fatal: true });
    }
    yield decoder === null ? chunk : decode(chunk);
  }
  if (decoder !== null) yield decode(null);
}

/** What to say of bytes that are no UTF-8: how they would be read in the encoding that most such files have. */
export function encodingProposal(bytes: Buffer): string {
  // Latin-1 has control characters where Windows has letters and quotes
  const name = bytes.some((byte) => byte >= 0x80 && byte <= 0x9f) ? 'windows-1252' : 'latin1';
  const text = new TextDecoder(name).decode(bytes.subarray(0, 60));
  return `text in UTF-8; as ${name} it reads ${JSON.stringify(text)}: if that is right, --encoding ${name}, else another such as gbk or shift_jis`;
}
