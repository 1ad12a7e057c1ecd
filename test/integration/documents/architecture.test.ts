import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { BASE, forbiddenBecause, LAYERS, SHELLS, SUBJECTS } from '#test/architecture/layers.ts';
import { documentForTests } from '../support/documentBlocks.ts';

const document = documentForTests('architecture.md');
const diagrams = {
  ...{ run: document.take('run'), trained: document.take('trained') },
  ...{ folders: document.take('folders'), subject: document.take('subject') },
};

it.each(Object.entries(diagrams))('the diagram "%s" names files and folders that there are', (_name, text) => {
  const paths = text.match(/\b(src|workers|web)\/[\w./]+/g) ?? [];
  expect(paths.length).toBeGreaterThan(4);
  expect(paths.filter((path) => !existsSync(join(projectRoot(), path)))).toEqual([]);
});

it('the arrows between folders are imports that are allowed, and no folder is missing', () => {
  const chains = diagrams.folders
    .split('\n')
    .filter((line) => line.includes('-->'))
    .map((line) => line.trim().split(/\s*-->\s*/))
    .map((chain) => chain.filter((node) => /^(src|workers|web)\//.test(node)));
  const arrows = chains.flatMap((chain) => chain.slice(1).map((to, index) => [chain[index]!, to] as const));
  expect(arrows.map(([from, to]) => forbiddenBecause(from, to)).filter((reason) => reason !== null)).toEqual([]);
  const folders = Object.entries({ ...LAYERS, 'src/base': BASE }).flatMap(([tree, names]) =>
    Object.keys(names).map((name) => `${tree}/${name}`),
  );
  expect(folders.filter((folder) => !chains.flat().includes(folder))).toEqual([]);
});

it('every folder of src has a line in the table, in the order of the subjects', () => {
  const lines = [
    ...readFileSync(join(projectRoot(), 'docs', 'architecture.md'), 'utf8').matchAll(/^\| `src\/(\w+)` /gm),
  ];
  const told = lines.map(([, folder]) => folder);
  expect(told).toEqual(['catalog', 'statistics', ...SUBJECTS, ...SHELLS]);
  const files = readdirSync(join(projectRoot(), 'src'), { encoding: 'utf8', recursive: true });
  const there = new Set(files.filter((path) => /\.\w+$/.test(path)).map((path) => path.split('/')[0]!));
  expect([...there].toSorted()).toEqual(['base', 'generated', ...told].toSorted());
});
