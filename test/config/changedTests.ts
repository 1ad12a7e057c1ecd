import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_POINTS } from '#src/cli/build.mjs';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { type SourceFile, sourceFiles } from '../architecture/sourceFiles.ts';

/** It reads whichever document a test names, and the test reaches that one alone. */
const READER = 'test/integration/support/documentBlocks.ts';
/** What any test may depend on. */
const BELOW_ALL = /^(package|tsconfig|test\/config\/|\.)/;
/** Of what the build makes, and of folders that are written by it, what they are made of. */
const MADE_OF: readonly (readonly [written: RegExp, from: readonly string[]])[] = [
  [/builtFile\('web'\)/, ['web/']],
  [/builtFile\('clients|'dist', 'clients'|'clients', 'python'/, ['clients/']],
  [/builtFile\(FILES|kernels\.wasm/, ['workers/wasm/assembly/', 'workers/wasm/fields/']],
  [/generated\/api\.ts'/, documentsOf('src')],
  [/generated\/prisma/, ['prisma/schema.prisma']],
  [/#web\/generated|\/generated\/operations/, [...documentsOf('web'), 'src/graphql/schema.graphql']],
];

/** The GraphQL documents of a tree, which lie beside what asks them. */
function documentsOf(tree: string): string[] {
  const files = readdirSync(join(projectRoot(), tree), { encoding: 'utf8', recursive: true });
  return files.filter((path) => path.endsWith('.graphql')).map((path) => join(tree, path));
}

/** The files and folders that a file reaches: by imports, by the programs that it starts, by paths that it names. */
function reachedBy({ path, text, imports }: SourceFile): string[] {
  if (path === READER) return imports;
  const programs = [...text.matchAll(/'([\w-]+)\.js'/g)].flatMap(([, name = '']) => entryOf(name) ?? []);
  const named = [...text.matchAll(/projectRoot\(\), ((?:'[^']+'(?:, )?)+)/g)].flatMap(([, words = '']) => {
    const joined = [...words.matchAll(/'([^']+)'/g)].map(([, word]) => word).join('/');
    return [joined, `${joined}/`];
  });
  const written = [...text.matchAll(/'((?:src|workers|web|test|docs|prisma|clients)\/[\w./-]+)'/g)].map(
    ([, found = '']) => found,
  );
  const documents = [...text.matchAll(/documentForTests\('([^']+)'/g)].map(([, name]) => `docs/${name}`);
  const built = [...text.matchAll(/buildProgram\('([^']+)'|'(fixture\w+)'/g)].map(([, support, fixture]) =>
    support === undefined ? `test/integration/runtime/${fixture}.ts` : `test/integration/support/${support}`,
  );
  const made = MADE_OF.flatMap(([pattern, from]) => (pattern.test(text) ? from : []));
  return [...imports, ...programs, ...named, ...written, ...documents, ...made, ...built];
}

function entryOf(name: string): string | undefined {
  return Object.entries(ENTRY_POINTS).find(([program]) => program === name)?.[1];
}

/** The tests that reach one of the changed files; null where a file is changed that any test may depend on. */
export function testsReaching(changed: readonly string[], files: readonly SourceFile[]): Set<string> | null {
  const known = new Set(files.map(({ path }) => path));
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const target of reachedBy(file)) importers.set(target, [...(importers.get(target) ?? []), file.path]);
  }
  const folders = [...importers.keys()].filter((target) => target.endsWith('/'));
  const reaching = (path: string): string[] =>
    [path, ...folders.filter((folder) => path.startsWith(folder))].flatMap((target) => importers.get(target) ?? []);
  const isUnclear = (path: string): boolean => !known.has(path) && reaching(path).length === 0;
  if (changed.some((path) => BELOW_ALL.test(path) || isUnclear(path))) return null;
  const found = new Set<string>(changed);
  // what is added on the way is visited as well
  for (const path of found) for (const from of reaching(path)) found.add(from);
  return new Set([...found].filter((path) => path.endsWith('.test.ts')));
}

/** Files that differ from `base`, by default from where this branch left main; new ones included. */
function changedFiles(base: string): string[] {
  const git = (...words: string[]): string[] =>
    execFileSync('git', words, { cwd: projectRoot(), encoding: 'utf8' }).split('\n').filter(Boolean);
  const [from = base] = base === '' ? git('merge-base', 'HEAD', 'main') : [base];
  return [...git('diff', '--name-only', from), ...git('ls-files', '--others', '--exclude-standard')];
}

/** The tests that need not run, as paths from the project's root, for what is changed since `base`; none where all must. */
export function untouchedTests(base: string): string[] {
  const files = sourceFiles(['src', 'workers', 'web', 'test', join('clients', 'typescript')]);
  const changed = changedFiles(base);
  const reaching = testsReaching(changed, files);
  const tests = files.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
  const says = reaching === null ? 'which any test may depend on' : `reached by ${reaching.size} test files`;
  process.stderr.write(`${changed.length} files are changed, ${says}\n`);
  return reaching === null ? [] : tests.filter((path) => !reaching.has(path));
}
