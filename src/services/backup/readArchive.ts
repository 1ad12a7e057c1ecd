import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extract as createExtract } from 'tar-stream';
import { WarrenError } from '#src/contracts/errors.ts';
import { coerceError } from '#src/lib/coerceError.ts';
import { invariant } from '#src/lib/invariant.ts';
import { artifactOfMember, type BackupManifest, MANIFEST_NAME, manifestSchema } from './backupManifest.ts';

export interface ArchiveMember {
  name: string;
  sizeBytes: number;
  /** To be read to its end before the next member. */
  content: AsyncIterable<Uint8Array>;
}

/** The members of a tar archive, one after the other. Throws what reading throws, also from within a member's content. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveMember> {
  const extract = createExtract();
  const source = createReadStream(path, { highWaterMark: 1 << 20 });
  source.on('error', (error) => extract.destroy(error));
  source.pipe(extract);
  try {
    for await (const entry of extract) {
      yield { name: entry.header.name, sizeBytes: entry.header.size ?? 0, content: bytesOf(entry) };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

/**
 * Reads a backup to its end and compares every member with the manifest. Changes nothing.
 * @throws WarrenError BAD_INPUT that says what is wrong with the file.
 */
export async function verifyBackup(path: string, onProgress: (bytes: number) => void): Promise<BackupManifest> {
  try {
    const { manifest, found } = await readAll(path, onProgress);
    compare(path, manifest, found);
    return manifest;
  } catch (thrown) {
    if (thrown instanceof WarrenError) throw thrown;
    throw notWhole(path, coerceError(thrown).message);
  }
}

async function readAll(
  path: string,
  onProgress: (bytes: number) => void,
): Promise<{ manifest: BackupManifest; found: BackupManifest['members'] }> {
  const found: BackupManifest['members'] = [];
  let manifest: BackupManifest | null = null;
  let bytes = 0;
  for await (const { name, sizeBytes, content } of readArchive(path)) {
    if (name === MANIFEST_NAME) {
      manifest = parseManifest(path, await textOf(content));
      continue;
    }
    const hash = createHash('sha256');
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      onProgress(bytes);
    }
    found.push({ name, sizeBytes, sha256: hash.digest('hex') });
  }
  if (manifest === null) throw notWhole(path, 'its manifest is missing');
  return { manifest, found };
}

function compare(path: string, manifest: BackupManifest, found: BackupManifest['members']): void {
  if (found.length !== manifest.members.length) {
    throw notWhole(path, `it has ${found.length} members, its manifest names ${manifest.members.length}`);
  }
  for (const [index, expected] of manifest.members.entries()) {
    const member = found[index];
    const artifact = artifactOfMember(expected.name);
    const isRight =
      member?.name === expected.name &&
      member.sha256 === expected.sha256 &&
      (artifact === null || artifact === expected.sha256);
    if (!isRight) throw notWhole(path, `${expected.name} is not what was written`);
  }
}

function parseManifest(path: string, text: string): BackupManifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (thrown) {
    throw notWhole(
      path,
      `its manifest cannot be read, perhaps since a newer Warren wrote it (${coerceError(thrown).message})`,
    );
  }
}

function notWhole(path: string, why: string): WarrenError {
  return new WarrenError('BAD_INPUT', `${path} is no whole backup: ${why}; nothing was changed`);
}

async function* bytesOf(content: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    invariant(chunk instanceof Uint8Array, 'a tar archive is read as bytes');
    yield chunk;
  }
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
