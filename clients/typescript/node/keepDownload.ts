import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { anew } from '../core/anew.ts';
import { Unreachable } from '../core/failures.ts';
import type { Transport } from '../core/transport.ts';

/** A file of a run, and the content that is wanted where the run may have another by now. */
export interface WantedFile {
  runId: string;
  name: string;
  sha256?: string;
}

/** What has come so far. */
interface Begun {
  bytes: number;
  tag: string | null;
  hash: ReturnType<typeof createHash>;
}

/**
 * Downloads a file of a run: it goes to the disk as it comes, and appears under its path whole and of the right sum, or not at
 * all. What breaks off goes on where it was.
 * @throws Unreachable or Refused
 */
export async function keepDownload(transport: Transport, file: WantedFile, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  const begun: Begun = { bytes: 0, tag: null, hash: createHash('sha256') };
  try {
    await anew(
      () => receive(transport, file, part, begun),
      () => begun.bytes,
    );
    await rename(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

async function receive(
  transport: Transport,
  { runId, name, sha256 }: WantedFile,
  part: string,
  begun: Begun,
): Promise<void> {
  const download = await transport.download(runId, name, {
    ...(sha256 === undefined ? {} : { sha256 }),
    begun,
  });
  if (!download.goesOn) Object.assign(begun, { bytes: 0, tag: download.tag, hash: createHash('sha256') });
  const file = await open(part, download.goesOn ? 'a' : 'w');
  try {
    for await (const bytes of download.bytes) {
      begun.hash.update(bytes);
      await file.writeFile(bytes);
      begun.bytes += bytes.length;
    }
  } finally {
    await file.close();
  }
  if (download.sha256 !== null && begun.hash.digest('hex') !== download.sha256) {
    // from its beginning, the next time
    begun.tag = null;
    throw new Unreachable(`${transport.url} gave other bytes of ${name} than were registered`);
  }
}
