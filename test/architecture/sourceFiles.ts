import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

export interface SourceFile {
  /** Relative to the project's root, with `/`. */
  path: string;
  text: string;
  /** Imports of this repository's files (`./…`, `#src/…`), as paths of the same form; type-only imports included. */
  imports: string[];
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/g;
const NOT_SOURCE = new Set(['node_modules', 'generated', 'assembly', 'dist']);
/** Lists of files: without them nothing would import what they list. */
const LISTS = /\/(catalog|experiments)\/generated$/;

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) {
      const inner = join(folder, entry.name);
      return NOT_SOURCE.has(entry.name) && !LISTS.test(inner) ? [] : walk(inner);
    }
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [join(folder, entry.name)] : [];
  });
}

/** Every TypeScript file of the given top-level trees. */
export function sourceFiles(trees: readonly string[]): SourceFile[] {
  const root = projectRoot();
  return trees
    .flatMap((tree) => walk(join(root, tree)))
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      const imports = [...text.matchAll(IMPORT)]
        .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
        .filter((specifier) => /^[.#]/.test(specifier))
        .map((specifier) =>
          specifier.startsWith('#') ? specifier.slice(1) : relative(root, join(dirname(file), specifier)),
        );
      return { path: relative(root, file), text, imports };
    });
}
