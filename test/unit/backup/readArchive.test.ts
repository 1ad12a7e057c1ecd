import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack } from 'tar-stream';
import { expect, it } from 'vitest';
import { backupManifestSchema } from '#src/backup/archiveManifest.ts';
import { verifyArchive } from '#src/backup/readArchive.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

const folder = temporaryFolder();

async function verified(name: string, members: readonly [name: string, content: string][]) {
  const pack = createPack();
  for (const [member, content] of members) pack.entry({ name: member }, content);
  pack.finalize();
  const path = join(folder, name);
  await pipeline(pack, createGzip({ level: 1 }), createWriteStream(path));
  return await verifyArchive(path, backupManifestSchema, () => {});
}

it('reads no manifest that is longer than its members can need, and nothing behind it', async () => {
  const long = JSON.stringify({ format: ' '.repeat(17 << 20) });
  await expect(verified('long.tar.gz', [['manifest.json', long]])).rejects.toThrow(
    'long.tar.gz is not a complete archive: its manifest is longer than that of so many members; nothing was changed',
  );
  const twice: [string, string][] = [
    ['manifest.json', '{}'],
    ['manifest.json', '{}'],
  ];
  await expect(verified('twice.tar.gz', [...twice, ['x', '']])).rejects.toThrow(
    'twice.tar.gz is not a complete archive: manifest.json comes after its manifest; nothing was changed',
  );
});

it('says of a file that is not there just that', async () => {
  const path = join(folder, 'none.tar');
  const none = verifyArchive(path, backupManifestSchema, () => {});
  await expect(none).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: `there is no file ${path}; nothing was changed`,
  });
});
