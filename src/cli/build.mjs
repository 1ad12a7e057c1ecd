import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { bundlePythonClient } from '../../clients/python/bundle.mjs';
import { buildTypescriptClient } from '../../clients/typescript/build.mjs';
import { LISTS, writeLists } from '../catalog/writeLists.mjs';
import { isInUse } from './inUse.mjs';
import { withLock } from './lock.mjs';
import { removeOthers } from './removeOthers.mjs';

/** Built file in `dist/` and the source that it starts from. */
export const ENTRY_POINTS = {
  cli: 'src/cli/main.ts',
  api: 'src/server/main.ts',
  'user-tests-thread': 'src/comparisons/userTestsThread.ts',
  worker: 'workers/runtime/worker/main.ts',
  executor: 'workers/runtime/executor/main.ts',
  compute: 'workers/runtime/compute/main.ts',
  command: 'workers/runtime/commands/main.ts',
  inspect: 'workers/runtime/compute/inspect.ts',
  'lane-thread': 'workers/wasm/threads/laneThread.ts',
  kinds: 'workers/experiments/parts.ts',
  bench: 'test/bench/main.ts',
};

/** A module with the names of each kernel's parameters beside the lanes, which TypeScript's types do not keep. */
function parameterNames(declarations) {
  const kernels = declarations.matchAll(/export function (\w+)\(_?lane\w*: number, _?lanes: number, (.*?)\): void/g);
  const entries = [...kernels].map(([, kernel, parameters]) => {
    const names = parameters.split(', ').map((parameter) => `'${parameter.replace(': number', '')}'`);
    return `  ${kernel}: [${names.join(', ')}],\n`;
  });
  return `// Written by the build from what the compiler of the kernels says.\nexport const PARAMETER_NAMES = {\n${entries.join('')}} as const;\n`;
}

/** The steps of a build: each runs again only when the files that it reads, or its tools, have changed. */
const STEPS = [
  {
    name: 'database client',
    inputs: ['prisma/schema.prisma', 'package-lock.json'],
    outputs: ['src/generated/prisma/client.ts'],
    run: (root) =>
      runTool(root, 'prisma', 'build/index.js', ['generate', '--schema', 'prisma/schema.prisma'], {
        // `prisma generate` is WebAssembly, but its CLI first wants to see a schema engine.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      }),
  },
  {
    name: 'WebAssembly',
    inputs: ['workers/wasm/assembly', 'workers/wasm/fields', 'workers/wasm/asconfig.json', 'package-lock.json'],
    outputs: [
      ...['dist/kernels.wasm', 'dist/kernels-fused.wasm'],
      ...['workers/wasm/generated/kernels.d.ts', 'workers/wasm/generated/parameterNames.ts'],
    ],
    run: async (root) => {
      for (const [target, file] of [
        ['fused', 'kernels-fused'],
        ['release', 'kernels'],
      ]) {
        await runTool(root, 'assemblyscript', 'bin/asc.js', [
          ...['workers/wasm/assembly/index.ts', '--config', 'workers/wasm/asconfig.json'],
          ...['--target', target, '--outFile', `dist/${file}.wasm`],
        ]);
      }
      // what the compiler says of the exports; its loader is not needed
      const types = join(root, 'workers', 'wasm', 'generated');
      mkdirSync(types, { recursive: true });
      renameSync(join(root, 'dist', 'kernels.d.ts'), join(types, 'kernels.d.ts'));
      writeFileSync(
        join(types, 'parameterNames.ts'),
        parameterNames(readFileSync(join(types, 'kernels.d.ts'), 'utf8')),
      );
      for (const left of ['kernels.js', 'kernels-fused.js', 'kernels-fused.d.ts']) rmSync(join(root, 'dist', left));
    },
  },
  {
    name: 'lists of kinds and optimizers',
    inputs: [
      'src/catalog/writeLists.mjs',
      'src/catalog/kinds',
      'src/catalog/optimizers/methods',
      'workers/experiments',
    ],
    outputs: LISTS,
    run: async (root) => writeLists(root),
  },
  {
    name: 'types of the API',
    inputs: ['src/*.graphql', 'src/graphql/operationTypes.mjs', 'package-lock.json'],
    outputs: ['src/generated/api.ts'],
    run: async (root) => {
      const { writeOperationTypes } = await import('../graphql/operationTypes.mjs');
      await writeOperationTypes(root, { operations: 'src', target: 'src/generated/api.ts' });
    },
  },
  {
    name: 'dashboard',
    inputs: [
      'web',
      'workers/math',
      'src/base/contracts',
      'src/base/lib',
      'src/statistics',
      'src/graphql/schema.graphql',
      'src/graphql/operationTypes.mjs',
      'src/cli/thirdPartyLicenses.mjs',
      'package-lock.json',
    ],
    outputs: ['dist/web/index.html', 'dist/report-page.js', 'dist/web-packages.json'],
    run: (root) => runScript(root, [join(root, 'web', 'build.mjs')]),
  },
  {
    name: 'Python client',
    inputs: ['clients/python/warren', 'clients/python/bundle.mjs'],
    outputs: ['dist/clients/warren.py'],
    run: async (root) =>
      bundlePythonClient(join(root, 'clients', 'python', 'warren'), join(root, 'dist', 'clients', 'warren.py')),
  },
  {
    name: 'TypeScript client',
    inputs: [
      ...['clients/typescript', 'package-lock.json'],
      ...['laidOver', 'maskedArguments', 'otherVersion', 'plainObject', 'userName'].map(
        (name) => `src/base/lib/${name}.ts`,
      ),
      ...['src/graphql/operationTypes.mjs', 'src/graphql/schema.graphql'],
    ],
    outputs: [
      ...['dist/clients/warren.mjs', 'dist/clients/warren.browser.mjs', 'clients/typescript/generated/api.ts'],
      ...['dist/clients/warren.d.mts', 'dist/clients/warren.browser.d.mts'],
      'clients/typescript/generated/sendingThread.ts',
    ],
    run: buildTypescriptClient,
  },
  {
    name: 'programs',
    inputs: ['src', 'workers', 'test/bench', 'prisma/schema.prisma', 'tsconfig.json', 'package-lock.json'],
    outputs: ['dist/cli.js'],
    run: buildPrograms,
  },
];

/**
 * Packages that go into the programs, with those that they import: plain JavaScript, which an API, a worker or many commands load
 * when they start. Hundreds of files read as one start in less than half the time. All others stay where they are installed.
 */
const BUNDLED_PACKAGES = new Set([
  ...['zod', 'commander', 'yaml', 'csv-parse', 'markdown-it', 'tar-stream', 'yauzl', '@modelcontextprotocol/server'],
  ...['graphql', 'graphql-jit', 'graphql-ws', 'graphql-query-complexity', 'type-graphql', 'reflect-metadata'],
  ...['@apollo/server', '@as-integrations/express5', 'express', 'content-disposition', 'ws'],
  ...[
    '@prisma/client',
    '@prisma/adapter-pg',
    'pg',
    'pg-copy-streams',
    'bullmq',
    'ioredis',
    'dataloader',
    'prom-client',
  ],
]);

/** What bundled packages load where somebody has installed it, and do without otherwise. */
export const OPTIONAL_PACKAGES = new Set([
  ...['class-validator', 'pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate', 'msgpackr-extract'],
  '@valkey/valkey-glide',
]);

/** What bundled packages share with packages that are not. */
const SHARED_PACKAGES = new Set(['@opentelemetry/api']);

/** CommonJS packages in a program, which is a module, find the modules of Node through `require`. */
const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

const packageOf = (path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/');

/** Packages as above; zod without its messages in 50 languages, of which every program would read all and say none. */
function packagesPlugin() {
  return {
    name: 'packages',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /node_modules\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' }));
      onResolve({ filter: /^[^./#]/ }, ({ path, kind, importer }) => {
        const name = packageOf(path);
        const isWanted = BUNDLED_PACKAGES.has(name) || importer.includes('/node_modules/');
        const staysOutside = OPTIONAL_PACKAGES.has(name) || SHARED_PACKAGES.has(name) || isBuiltin(path);
        const isBundled = isWanted && !staysOutside;
        return kind === 'entry-point' || isBundled ? undefined : { path, external: true };
      });
    },
  };
}

/** @throws when a package is in the programs and beside them too: its types and its state would be there twice. */
function requireOneCopy({ inputs, outputs }) {
  const inside = Object.keys(inputs).flatMap((file) => {
    const at = file.lastIndexOf('node_modules/');
    return at < 0 ? [] : [packageOf(file.slice(at + 'node_modules/'.length))];
  });
  const bundled = new Set(inside);
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const twice = imports.filter(({ external, path }) => external && bundled.has(packageOf(path)) && !isBuiltin(path));
  if (twice.length > 0) throw new Error(`bundled and imported: ${twice.map(({ path }) => path).join(', ')}`);
}

/**
 * In a program a CommonJS package that is imported when it is needed has a default export and no names, other than in Node.
 * @throws when a file of ours asks for a name.
 */
function requireDefaults(root, { inputs }) {
  const late = Object.entries(inputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
      .map(({ original }) => ({ file, original })),
  );
  for (const { file, original } of late) {
    if (file.includes('node_modules/')) continue;
    const named = new RegExp(`\\{(?! *default\\b)[^{}]*\\} = await import\\('${original}'\\)`);
    if (named.test(readFileSync(join(root, file), 'utf8')))
      throw new Error(`${file}: ${original} has a default export alone in the programs; take its names from that`);
  }
}

/**
 * Bundles programs. Resolves to what esbuild says of the files that it wrote.
 * @param {string} root The project.
 * @param {{ folder: string, entryPoints?: Record<string, string> }} target Where they go; which, all by default.
 */
export async function bundlePrograms(root, { folder, entryPoints = ENTRY_POINTS }) {
  const { build: bundle } = await import('esbuild');
  const { metafile } = await bundle({
    metafile: true,
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: { js: REQUIRE },
    plugins: [packagesPlugin()],
    sourcemap: true,
    logLevel: 'warning',
  });
  requireOneCopy(metafile);
  requireDefaults(root, metafile);
  return metafile;
}

async function buildPrograms(root) {
  const metafile = await bundlePrograms(root, { folder: 'dist' });
  // processes without numerics give modules of kinds stand-ins of these names
  writeFileSync(join(root, 'dist', 'kind-parts.json'), JSON.stringify(metafile.outputs['dist/kinds.js'].exports));
  const written = [...Object.keys(metafile.outputs), ...STEPS.flatMap(({ outputs }) => outputs)];
  const ours = written.filter((path) => path.startsWith('dist/')).map((path) => path.split('/')[1]);
  // the type checker keeps what it knows in `types`
  const others = ['kind-parts.json', 'types', basename(STAMPS), basename(LOCK)];
  // `warren up` goes on while its programs are built anew, and loads some of its files when they are first needed
  if (!isInUse(join(root, 'dist'))) removeOthers(join(root, 'dist'), [...ours, ...others]);
}

/** Runs a package's own program; what it prints is shown only when it fails. */
function runTool(root, name, program, parameters, environment = {}) {
  return runScript(root, [join(root, 'node_modules', name, program), ...parameters], environment);
}

function runScript(root, parameters, environment = {}) {
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (text) => (printed += text));
  child.stderr.on('data', (text) => (printed += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(printed.trim() || `exit code ${code}`))));
  });
}

/** Which inputs each step was built from, and what is there while a build runs. */
const STAMPS = 'dist/.built.json';
const LOCK = 'dist/.lock';

const NOT_READ = new Set(['node_modules', 'generated', '__pycache__']);

/** The files at `path`, which may be a folder or be missing, in a fixed order. */
function filesAt(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !NOT_READ.has(name))
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}

/** What an input names: a file, all of a folder, or with `folder/*.ending` those of a folder with that ending. */
function filesOf(root, input) {
  const [path, ending = ''] = input.split('/*');
  return filesAt(join(root, path)).filter((file) => file.endsWith(ending));
}

function fingerprint(root, inputs) {
  const hash = createHash('sha256').update(process.versions.modules);
  for (const file of inputs.flatMap((input) => filesOf(root, input))) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Brings everything that is made from the sources up to date. Two builds at once wait for each other. */
export async function build({ root, say }) {
  const stampFile = join(root, STAMPS);
  const readStamps = () => (existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {});
  const wanted = Object.fromEntries(STEPS.map((step) => [step.name, fingerprint(root, step.inputs)]));
  const stale = (step, stamps) =>
    stamps[step.name] !== wanted[step.name] || !step.outputs.every((path) => existsSync(join(root, path)));
  if (!STEPS.some((step) => stale(step, readStamps()))) return;

  mkdirSync(join(root, 'dist'), { recursive: true });
  await withLock(join(root, LOCK), async () => {
    for (const step of STEPS) {
      const stamps = readStamps();
      if (!stale(step, stamps)) continue;
      const started = performance.now();
      try {
        await step.run(root);
      } catch (error) {
        throw new Error(`${step.name}: ${error.message}`);
      }
      writeFileSync(stampFile, JSON.stringify({ ...stamps, [step.name]: wanted[step.name] }));
      say(`built the ${step.name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
  });
}
