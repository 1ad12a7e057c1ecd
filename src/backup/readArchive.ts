import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { extract as createExtract } from 'tar-stream';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { artifactOfMember, type ArchiveManifest, MANIFEST_NAME } from './archiveManifest.ts';

export interface ArchiveMember {
  name: string;
  sizeBytes: number;
  /** To be read to its end before the next member. */
  content: AsyncIterable<Uint8Array>;
}

/**
 * The members of a tar archive, which may be compressed by gzip, one after the other. Throws what reading throws, also from
 * within a member's content.
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveMember> {
  const compressed = await isCompressed(path);
  const extract = createExtract();
  const source = createReadStream(path, { highWaterMark: 1 << 20 });
  source.on('error', (error) => extract.destroy(error));
  if (compressed) {
    const plain = createGunzip();
    plain.on('error', (error) => extract.destroy(error));
    source.pipe(plain).pipe(extract);
  } else {
    source.pipe(extract);
  }
  try {
    for await (const entry of extract) {
      yield { name: entry.header.name, sizeBytes: entry.header.size ?? 0, content: bytesOf(entry) };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

async function isCompressed(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false; // reading says why
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/**
 * Reads an archive to its end and compares every member with the manifest. Changes nothing.
 * @throws WarrenError BAD_INPUT that says what is wrong with the file.
 */
export async function verifyArchive<Manifest extends ArchiveManifest>(
  path: string,
  schema: z.ZodType<Manifest>,
  onProgress: (bytes: number) => void,
): Promise<Manifest> {
  try {
    const { text, found } = await readAll(path, onProgress);
    const manifest = parseManifest(path, schema, text);
    compare(path, manifest, found);
    return manifest;
  } catch (thrown) {
    if (thrown instanceof WarrenError) throw thrown;
    if (thrown instanceof Error && 'syscall' in thrown) throw unreadable(path, thrown);
    throw notWhole(path, coerceError(thrown).message);
  }
}

async function readAll(
  path: string,
  onProgress: (bytes: number) => void,
): Promise<{ text: string; found: ArchiveManifest['members'] }> {
  const found: ArchiveManifest['members'] = [];
  let text: string | null = null;
  let bytes = 0;
  for await (const { name, sizeBytes, content } of readArchive(path)) {
    if (text !== null) throw notWhole(path, `${name} comes after its manifest`);
    if (name === MANIFEST_NAME) {
      text = await textOf(path, content, MANIFEST_BYTES + found.length * BYTES_A_MEMBER);
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
  if (text === null) throw notWhole(path, 'its manifest is missing');
  return { text, found };
}

function compare(path: string, manifest: ArchiveManifest, found: ArchiveManifest['members']): void {
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

const FORMATS: Readonly<Record<string, string>> = {
  'warren-backup': 'a backup of a whole server: `warren restore` takes it',
  'warren-project': 'the archive of one project: `warren project import` takes it',
};

function parseManifest<Manifest extends ArchiveManifest>(
  path: string,
  schema: z.ZodType<Manifest>,
  text: string,
): Manifest {
  const given = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch (thrown) {
      throw notWhole(path, `its manifest is no JSON (${coerceError(thrown).message})`);
    }
  })();
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const format = z.object({ format: z.string() }).safeParse(given).data?.format ?? '';
  const isOther = parsed.error.issues.some(({ path: at }) => at[0] === 'format') && format in FORMATS;
  if (isOther) throw new WarrenError('BAD_INPUT', `${path} is ${FORMATS[format]}; nothing was changed`);
  throw notWhole(
    path,
    `its manifest cannot be read, perhaps since a newer Warren wrote it (${coerceError(parsed.error).message})`,
  );
}

function unreadable(path: string, cause: Error): WarrenError {
  const missing = 'code' in cause && cause.code === 'ENOENT';
  const why = missing ? `there is no file ${path}` : `${path} cannot be read: ${cause.message}`;
  return new WarrenError('BAD_INPUT', `${why}; nothing was changed`, { cause });
}

function notWhole(path: string, why: string): WarrenError {
  return new WarrenError('BAD_INPUT', `${path} is not a complete archive: ${why}; nothing was changed`);
}

async function* bytesOf(content: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    invariant(chunk instanceof Uint8Array, 'a tar archive is read as bytes');
    yield chunk;
  }
}

/** What a manifest has beside its members, and for each of them at most: a longer one was made to fill the memory. */
const MANIFEST_BYTES = 16 << 20;
const BYTES_A_MEMBER = 512;

async function textOf(path: string, content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw notWhole(path, 'its manifest is longer than that of so many members');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
