import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readSequences } from '#workers/data/read/readSequences.ts';
import { fileWith } from '../dataFiles.ts';

test('reads one user per line, plain and gzipped alike', async () => {
  const text = '7 30 10 20\n3 10\n';
  for (const name of ['a.txt', 'a.txt.gz']) {
    const read = await readSequences(fileWith(text, name));
    expect(read.userIds).toEqual(['7', '3']);
    expect(Array.from(read.items, (item) => read.itemIds[item])).toEqual(['30', '10', '20', '10']);
    expect([...read.users]).toEqual([0, 0, 0, 1]);
  }
});

test.each([
  ['no last newline', '1 2 3\n2 3'],
  ['carriage returns', '1 2 3\r\n2 3\r\n'],
  ['a byte order mark', '\uFEFF1 2 3\n2 3\n'],
  ['empty lines, tabs and spaces around', '\n  1\t2  3 \n\n2 3\n\n'],
])('accepts %s', async (_, text) => {
  const read = await readSequences(fileWith(text));
  expect(read.userIds).toEqual(['1', '2']);
  expect(Array.from(read.items, (item) => read.itemIds[item])).toEqual(['2', '3', '3']);
});

test('reads a file of many blocks like one of a single block', async () => {
  const line = (user: number): string => `${user} ${Array.from({ length: 50 }, (_, i) => user * 50 + i).join(' ')}`;
  const text = `${Array.from({ length: 12_000 }, (_, user) => line(user)).join('\n')}\n`;
  expect(text.length).toBeGreaterThan(3 << 20);
  const read = await readSequences(fileWith(text, 'many.txt.gz'));
  expect(read.items.length).toBe(600_000);
  expect(read.itemIds.every((id, index) => id === String(index))).toBe(true);
});

test.each([
  ['a letter in a number', '1 2 3\n2 3 x4\n', /:2: found "x4", expected "user item item …"/],
  ['a negative id', '1 2 -3\n', /:1: found "-3"/],
  ['NaN', '1 NaN\n', /:1: found "NaN"/],
  ['a fraction', '1 2 3.5\n', /:1: found "3\.5"/],
  ['a user without items', '1 2\n2\n3 4\n', /:2: found user 2 without items/],
  ['a user who comes twice', '1 2\n1 3\n', /:2: found user 1 again, expected one line per user/],
  ['an id too long', '1 1234567890123456\n', /:1: found an id of 16 digits/],
  ['an empty file', '', /:1: found an empty file/],
  ['only empty lines', '\n\n', /found an empty file/],
  ['a binary file', Buffer.from([0, 1, 2, 3, 10]), /is no text: it has NUL bytes/],
])('refuses %s, naming file and line', async (_, content, message) => {
  const path = fileWith(content);
  await expect(readSequences(path)).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringMatching(message),
  });
  await expect(readSequences(path)).rejects.toThrow(path);
});

test('refuses a truncated gzip file', async () => {
  const path = fileWith('', 'cut.txt.gz');
  const whole = gzipSync(Array.from({ length: 5000 }, (_, user) => `${user + 1} ${user * 7} ${user * 13}`).join('\n'));
  writeFileSync(path, whole.subarray(0, whole.length / 2));
  await expect(readSequences(path)).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringMatching(/is a truncated gzip file/),
  });
});

test('refuses a damaged gzip file', async () => {
  const path = fileWith('1 2 3\n'.repeat(1), 'bad.txt.gz');
  const bytes = readFileSync(path);
  bytes[bytes.length - 6]! ^= 0xff;
  writeFileSync(path, bytes);
  await expect(readSequences(path)).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringMatching(/is a damaged gzip file/),
  });
});
