import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { documentBlocks } from '../integration/support/documentBlocks.ts';

const FOLDER = join(projectRoot(), 'docs');
const documents = readdirSync(FOLDER, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.md'));

/** `docs/backup.md` is executed by `test/integration/documents/backup.test.ts`. */
function testOf(document: string): string {
  return join('test', 'integration', 'documents', document.replace(/\.md$/, '.test.ts'));
}

test.each(documents)('the code blocks of docs/%s are executed by a test file of its name', (document) => {
  if (documentBlocks(readFileSync(join(FOLDER, document), 'utf8')).length === 0) return;
  const path = testOf(document);
  expect(existsSync(join(projectRoot(), path)), `${path} is missing`).toBe(true);
  // It is this call that fails when a block is left out.
  expect(readFileSync(join(projectRoot(), path), 'utf8')).toContain(`documentForTests('${document}')`);
});

/** Every document for people, by its path from the root. */
const pages = ['README.md', 'CONTRIBUTING.md', ...documents.map((file) => join('docs', file))];

test.each(pages)('the links of %s lead to files, and the files that it names are there', (page) => {
  const text = readFileSync(join(projectRoot(), page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => join(dirname(page), to));
  const named = [...text.matchAll(/`((?:src|workers|web|test|prisma|docs|clients)\/[\w./-]+)`/g)].map(
    ([, to = '']) => to,
  );
  const files = [...links, ...named].filter((path) => !path.includes('NAME'));
  expect(files.filter((path) => !existsSync(join(projectRoot(), path)))).toEqual([]);
});

test('blocks are found with their language, name and text, and a fence inside a longer one is text', () => {
  const markdown = [
    '# Title',
    '```sh first step',
    'echo 1',
    '```',
    'text',
    '````md',
    '```sh',
    '```',
    '````',
    '~~~',
    'open',
  ];
  expect(documentBlocks(markdown.join('\n'))).toEqual([
    { language: 'sh', name: 'first step', line: 2, text: 'echo 1\n' },
    { language: 'md', name: '', line: 6, text: '```sh\n```\n' },
    { language: '', name: '', line: 10, text: 'open\n' },
  ]);
});
