import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Header, pack as createPack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { unpackArchive } from '#workers/runtime/commands/folderArchive.ts';

const home = temporaryFolder();
let count = 0;

interface Member extends Partial<Header> {
  name: string;
  content?: string;
}

async function unpacked(members: readonly Member[], mostBytes = 1 << 30): Promise<string> {
  const pack = createPack();
  for (const { content = '', ...header } of members) pack.entry(header, content);
  pack.finalize();
  const file = join(home, `${++count}.tar.gz`);
  writeFileSync(file, gzipSync(await buffer(pack)));
  const folder = join(home, String(count), 'code');
  await unpackArchive(file, folder, { gzipped: true, signal: new AbortController().signal, mostBytes });
  return folder;
}

const link = (name: string, linkname: string): Member => ({ name, type: 'symlink', linkname });

describe('the archive of a command’s code', () => {
  it('gives its files, links within it, and who may execute', async () => {
    const folder = await unpacked([
      { name: 'src/main.py', content: 'print(1)', mode: 0o4755 },
      link('main.py', 'src/main.py'),
      link('through', 'main.py'),
    ]);
    expect(readFileSync(join(folder, 'through'), 'utf8')).toBe('print(1)');
    expect(readdirSync(folder).sort()).toEqual(['main.py', 'src', 'through']);
  });

  it.each([
    ['a name that leads up', [{ name: '../out', content: 'x' }]],
    ['a name from the root', [{ name: '/tmp/warren-out', content: 'x' }]],
    ['a link that leads up', [link('up', '..')]],
    ['a file behind a link', [link('here', '.'), { name: 'here/x', content: 'x' }]],
    // each is within the folder by its words, and together they lead out of it
    ['links that lead out together', [link('a/b/c/top', '../../..'), link('out', 'a/b/c/top/../../..')]],
    ['links that lead to nothing outside', [link('a/b/c/top', '../../..'), link('out', 'a/b/c/top/../nothing')]],
    [
      'two files of one name',
      [
        { name: 'x', content: '1' },
        { name: 'x', content: '2' },
      ],
    ],
    ['a file in place of a link', [link('x', 'y'), { name: 'x', content: '2' }]],
  ])('with %s is refused', async (_, members) => {
    await expect(unpacked(members)).rejects.toMatchObject({ code: 'DATA_ERROR' });
    expect(existsSync(join(home, String(count), 'out'))).toBe(false);
  });

  it('leaves out devices, pipes and links that are not symbolic', async () => {
    const folder = await unpacked([
      { name: 'pipe', type: 'fifo' },
      { name: 'device', type: 'block-device' },
      { name: 'hard', type: 'link', linkname: '/etc/passwd' },
      { name: 'x', content: '1' },
    ]);
    expect(readdirSync(folder)).toEqual(['x']);
  });

  it('is refused before it fills the disk', async () => {
    const zeros = { name: 'zeros', content: '\0'.repeat(4 << 20) };
    await expect(unpacked([zeros], 1 << 20)).rejects.toThrow('the archive unpacks to more than 1 MiB');
    expect(await unpacked([zeros], 5 << 20)).toBeTruthy();
  });
});
