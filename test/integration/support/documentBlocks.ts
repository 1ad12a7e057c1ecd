import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfFile } from './atEndOfFile.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

/** A fenced code block of a document. Its opening line is, for instance, ```` ```sh make-a-token ````. */
export interface DocumentBlock {
  /** The first word after the fence: `sh`, `nginx`, `python`. */
  language: string;
  /** The rest of that line: the name by which a test takes the block. */
  name: string;
  /** The line of the document on which the block opens, from 1. */
  line: number;
  text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*(\S*)\s*(.*?)\s*$/;

/** Every fenced code block of a Markdown text, in order. A fence that is never closed ends with the text. */
export function documentBlocks(markdown: string): DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  let open: { block: DocumentBlock; fence: string; lines: string[] } | null = null;
  const close = (): void => {
    if (open === null) return;
    blocks.push({ ...open.block, text: open.lines.map((line) => `${line}\n`).join('') });
    open = null;
  };
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, fence = '', language = '', name = ''] = FENCE.exec(line) ?? [];
    if (open === null) {
      if (fence !== '') open = { block: { language, name, line: index + 1, text: '' }, fence, lines: [] };
    } else if (fence.startsWith(open.fence) && language === '') close();
    else open.lines.push(line);
  }
  close();
  return blocks;
}

export interface TestedDocument {
  /**
   * The text of the block of this name, which the test promises to execute. What cannot be the reader's own, such as
   * addresses, is replaced: each key must stand in the block.
   */
  take(name: string, replacements?: Readonly<Record<string, string>>): string;
}

/**
 * A document in `docs/`, or `../README.md`, for the test file that executes it: `const document = documentForTests('deploy.md')` at the top
 * of the file, then `document.take('name')` for each block. After the tests, a block that nobody took is a failure.
 */
export function documentForTests(file: string): TestedDocument {
  const blocks = documentBlocks(readFileSync(join(projectRoot(), 'docs', file), 'utf8'));
  const taken = new Set<DocumentBlock>();
  atEndOfFile(() => {
    const missed = blocks.filter((block) => !taken.has(block));
    if (missed.length === 0) return;
    const places = missed.map(({ line, language, name }) => `line ${line} (${language} ${name})`).join(', ');
    throw new Error(`docs/${file} has blocks that no test executes: ${places}`);
  });
  return {
    take(name, replacements = {}) {
      const found = blocks.filter((block) => block.name === name);
      const [block] = found;
      if (block === undefined || found.length > 1) {
        throw new Error(`docs/${file} has ${found.length} blocks with the name "${name}", expected one`);
      }
      taken.add(block);
      let text = block.text;
      for (const [from, to] of Object.entries(replacements)) {
        if (!text.includes(from)) throw new Error(`docs/${file}, line ${block.line}: the block has no "${from}"`);
        text = text.replaceAll(from, to);
      }
      return text;
    },
  };
}
