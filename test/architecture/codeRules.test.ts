import { expect, test } from 'vitest';
import { sourceFiles } from './sourceFiles.ts';

const files = sourceFiles(['src', 'workers', 'web', 'clients']);

function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(file.text)).map((file) => file.path);
}

test('randomness is always an argument: nothing calls Math.random', () => {
  expect(filesWith(/\bMath\.random\b/)).toEqual([]);
});

test('no folder is imported through a barrel', () => {
  expect(files.filter((file) => /\/index\.tsx?$/.test(file.path)).map((file) => file.path)).toEqual([]);
});

test('names say what a file is about', () => {
  expect(files.filter((file) => /(utils?|helpers?|manager)\.tsx?$/i.test(file.path)).map((file) => file.path)).toEqual(
    [],
  );
});

test('types are not switched off', () => {
  expect(filesWith(/@ts-(ignore|nocheck)|\bas any\b/)).toEqual([]);
});

test('imports from two folders up or further are written from the root: #src/…, #workers/…, #web/…, #test/…', () => {
  const wrong = sourceFiles(['src', 'workers', 'web', 'test']).filter((file) =>
    /(?:from |import\()'(?:\.\.\/){2,}[\w./]+\.tsx?'/.test(file.text),
  );
  expect(wrong.map((file) => file.path)).toEqual([]);
});
