import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BANNER = '// Written by the build from the names of the files that it lists.\n';

const KINDS = 'src/catalog/kinds';
const OPTIMIZERS = 'src/catalog/optimizers/methods';
const EXPERIMENTS = 'workers/experiments';

/** The lists that are made of folders, so that what is added is added in one place. */
export const LISTS = [
  'src/catalog/generated/kinds.ts',
  'src/catalog/generated/optimizers.ts',
  'workers/experiments/generated/experiments.ts',
];

/** Names of the TypeScript files of a folder, without their ending. */
function namesIn(root, folder) {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'));
  return files.map((name) => name.slice(0, -'.ts'.length)).sort();
}

function entries(names, line) {
  return names.map((name) => `  ${line(name)},\n`).join('');
}

/** A list of what each file exports: `exported` says under which name. */
function importedList(constant, { names, folder, exported }) {
  const imports = names.map((name) => `import { ${exported(name)} } from '${folder}/${name}.ts';\n`).join('');
  const line = (name) => (exported(name) === name ? name : `${name}: ${exported(name)}`);
  return `${BANNER}${imports}\nexport const ${constant} = {\n${entries(names, line)}} as const;\n`;
}

/**
 * Writes the lists of kinds, of what executes them, and of optimizers. Nothing is decided here: where a half is missing or of
 * another type, the files that read the lists do not compile.
 */
export function writeLists(root) {
  const kinds = namesIn(root, KINDS);
  const executed = new Set(namesIn(root, EXPERIMENTS));
  const loaders = entries(
    kinds.filter((name) => executed.has(name)),
    (name) => `${name}: () => import('../${name}.ts')`,
  );
  const [kindList, optimizerList, experimentList] = LISTS;
  const written = {
    [kindList]: importedList('KIND_FILES', { names: kinds, folder: '../kinds', exported: (name) => `${name}Kind` }),
    [optimizerList]: importedList('OPTIMIZERS', {
      names: namesIn(root, OPTIMIZERS),
      folder: '../optimizers/methods',
      exported: (name) => name,
    }),
    [experimentList]: `${BANNER}export const EXPERIMENT_FILES = {\n${loaders}} as const;\n`,
  };
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
