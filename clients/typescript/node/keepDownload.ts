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

/**
 * Downloads a file of a run: it goes to the disk as it comes, and appears under its path whole and of the right sum, or not at
 * all. What breaks off is begun anew.
 * @throws Unreachable or Refused
 */
export async function keepDownload(transport: Transport, file: WantedFile, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  try {
    await anew(() => receive(transport, file, part));
    await rename(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

async function receive(transport: Transport, { runId, name, sha256 }: WantedFile, part: string): Promise<void> {
  const download = await transport.download(runId, name, sha256);
  const hash = createHash('sha256');
  const file = await open(part, 'w');
  try {
    for await (const bytes of download.bytes) {
      hash.update(bytes);
      await file.writeFile(bytes);
    }
  } finally {
    await file.close();
  }
  if (download.sha256 !== null && hash.digest('hex') !== download.sha256) {
    throw new Unreachable(`${transport.url} gave other bytes of ${name} than were registered`);
  }
}
