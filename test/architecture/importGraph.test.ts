import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { KNOWN_BREAKS } from './knownBreaks.ts';
import { breakerOf, forbiddenBecause } from './layers.ts';
import { type SourceFile, sourceFiles } from './sourceFiles.ts';

const files = sourceFiles(['src', 'workers', 'web']).filter((file) => file.path.split('/').length > 2);

const wrong = files.flatMap((file) =>
  file.imports
    .filter((to) => /^(src|workers|web)\//.test(to))
    .map((to) => ({ from: file.path, to, because: forbiddenBecause(file.path, to) }))
    .filter(({ because }) => because !== null),
);

test('imports go down the layers only, type-only imports included, but for those that are known', () => {
  expect(wrong.filter(({ from, to }) => !KNOWN_BREAKS[to]?.includes(breakerOf(from)))).toEqual([]);
});

test('a known break that is mended leaves the list', () => {
  const needed = new Set(wrong.map(({ from, to }) => `${breakerOf(from)} > ${to}`));
  const known = Object.entries(KNOWN_BREAKS).flatMap(([to, breakers]) => breakers.map((from) => `${from} > ${to}`));
  expect(known.filter((one) => !needed.has(one))).toEqual([]);
});

test('no file imports itself in a circle', () => {
  expect(circles(files)).toEqual([]);
});

test('Prisma is imported by stores, the platform and what asks the database for them alone', () => {
  const wrong = files
    .filter((file) => /generated\/prisma|@prisma\/client/.test(file.text))
    .filter((file) => !/^src\/(base\/(platform|database)|\w+\/store)\//.test(file.path))
    .map((file) => file.path);
  expect(wrong).toEqual([]);
});

test('rows of the database are checked where they enter: raw queries are run by queryRows alone', () => {
  const raw = files.filter((file) => /\$queryRaw/.test(file.text)).map((file) => file.path);
  expect(raw).toEqual(['src/base/database/queryRows.ts']);
});

test('a run that uses no tensors loads no tensor library', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const load = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || loaded.has(path)) return;
    loaded.add(path);
    for (const next of loadedImports(file)) load(next);
  };
  load('workers/runtime/compute/main.ts');
  expect(loaded.size).toBeGreaterThan(100);
  expect([...loaded]).not.toContain('workers/tensor/tf.ts');
});

test('every file of production is reached from a program, the API of kinds or the dashboard', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const reach = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const next of byPath.get(path)?.imports ?? []) reach(next);
  };
  const programs = readFileSync(join(projectRoot(), 'src', 'cli', 'build.mjs'), 'utf8');
  for (const [, entry = ''] of programs.matchAll(/'((?:src|workers)\/[\w/]+\.ts)',/g)) reach(entry);
  const frames = ['vega', 'plotly'].map((library) => `web/frames/${library}.ts`);
  for (const entry of ['web/app/main.tsx', 'web/static/reportPage.ts', ...frames, ...files.flatMap(threadsOf)])
    reach(entry);
  expect(reached.size).toBeGreaterThan(1000);
  expect(files.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

/** Files that a page starts as threads. */
function threadsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/new URL\('(\.\/[^']+)', import\.meta\.url\)/g)].map(([, to = '']) =>
    join(dirname(path), to),
  );
}

/** What a file loads with itself: imports that are neither of types alone nor made when they are needed. */
function loadedImports({ text, imports }: SourceFile): string[] {
  const later = [
    ...text.matchAll(/\bimport\('[^']*?([\w.]+)'\)|\b(?:import|export) type\b[^'";]*from '[^']*?([\w.]+)'/g),
  ];
  const names = new Set(later.map((match) => match[1] ?? match[2]));
  return imports.filter((path) => !names.has(path.split('/').at(-1)));
}

/** Every circle of the import graph, found by depth-first search, as the paths around it. */
function circles(graph: SourceFile[]): string[][] {
  const byPath = new Map(graph.map((file) => [file.path, file]));
  const state = new Map<string, 'open' | 'done'>();
  const found: string[][] = [];
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path]);
      return;
    }
    state.set(path, 'open');
    for (const next of byPath.get(path)?.imports ?? []) if (byPath.has(next)) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const file of graph) visit(file.path, []);
  return found;
}
