/**
 * The subjects of `src`, the earliest first: each uses itself and those before it. What a later one must do is told to it by an
 * event or a port.
 */
export const SUBJECTS: readonly string[] = [
  ...[
    'outgoing',
    'datasets',
    'projects',
    'audit',
    'people',
    'kinds',
    'fleet',
    'runs',
    'metrics',
    'logs',
    'artifacts',
    'media',
  ],
  ...[
    'queue',
    'registry',
    'external',
    'programs',
    'sweeps',
    'decisions',
    'comparisons',
    'reports',
    'views',
    'search',
    'studies',
  ],
  ...['sharing', 'alerts', 'attempts', 'exports', 'mlflow', 'imports', 'administration', 'backup'],
];

/** What assembles subjects, and is used by none. */
export const SHELLS = ['graphql', 'server', 'cli'];

/** The parts of a subject: a file in none of these folders is a use case. */
const PARTS: Readonly<Record<string, number>> = { store: 0, 'use case': 1, api: 2, command: 2, tools: 3 };

/** The folders of `src/base`: each uses those with a smaller number. */
export const BASE: Readonly<Record<string, number>> = {
  lib: 0,
  contracts: 1,
  platform: 2,
  database: 3,
  graphql: 4,
  terminal: 4,
  tools: 5,
};

/** The layers of the other trees: a folder imports only folders of its tree with a smaller number. */
export const LAYERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  workers: {
    math: 0,
    wasm: 1,
    tensor: 2,
    data: 2,
    graphs: 3,
    figures: 3,
    kernels: 3,
    evaluation: 3,
    features: 4,
    models: 5,
    training: 6,
    experiments: 7,
    runtime: 8,
  },
  web: { lib: 0, generated: 0, frames: 0, api: 1, charts: 1, components: 1, features: 2, app: 3, static: 4 },
};

/** Folders of `src/base` without a library of Node in them. */
const PURE = ['lib', 'contracts'];

/** Where a file stands: its tree, the folder below it, and within a subject or `base` the folder below that. */
function placeOf(path: string) {
  const [tree = '', folder = '', inner = ''] = path.split('/');
  return { tree, folder, inner, part: inner in PARTS ? inner : 'use case' };
}

/** 0: base, 1: catalog and statistics, 2: subjects, 3: shells; undefined for a folder that is none of them. */
function levelOf(folder: string): number | undefined {
  if (folder === 'base' || folder === 'generated') return 0;
  if (folder === 'catalog' || folder === 'statistics') return 1;
  if (isSubject(folder)) return 2;
  return SHELLS.includes(folder) ? 3 : undefined;
}

function isSubject(folder: string): boolean {
  return SUBJECTS.includes(folder);
}

/** Why `from` may not import `to`, or null when it may. Paths are relative to the project's root. */
export function forbiddenBecause(from: string, to: string): string | null {
  const [one, other] = [placeOf(from), placeOf(to)];
  if (one.tree === 'src' && other.tree === 'src') return forbiddenInSource(from, to);
  if (one.tree === other.tree) {
    if (one.folder === other.folder) return null;
    const [fromRank, toRank] = [LAYERS[one.tree]?.[one.folder], LAYERS[one.tree]?.[other.folder]];
    if (fromRank === undefined || toRank === undefined)
      return `${one.tree}/${one.folder} or ${other.folder} has no layer`;
    return toRank < fromRank ? null : `layer ${fromRank} imports layer ${toRank}`;
  }
  if (other.tree === 'src' && (one.tree === 'workers' || one.tree === 'web')) {
    if (other.folder === 'statistics' || (other.folder === 'base' && PURE.includes(other.inner))) return null;
    if (one.tree === 'workers' && other.folder === 'catalog') return null;
    if (one.tree === 'workers' && one.folder === 'runtime') {
      if (other.folder === 'base' || other.folder === 'generated') return null;
      if (isSubject(other.folder)) return other.part === 'use case' ? null : `the ${other.part} of ${other.folder}`;
    }
  }
  if (one.tree === 'web' && other.tree === 'workers' && other.folder === 'math') return null;
  return `${one.tree}/${one.folder} may not import ${other.tree}/${other.folder}`;
}

function forbiddenInSource(from: string, to: string): string | null {
  const [one, other] = [placeOf(from), placeOf(to)];
  const [fromLevel, toLevel] = [levelOf(one.folder), levelOf(other.folder)];
  if (fromLevel === undefined) return `src/${one.folder} has no place among the subjects`;
  if (toLevel === undefined) return `src/${other.folder} has no place among the subjects`;
  if (one.folder === other.folder) return forbiddenInside(one, other);
  if (toLevel > fromLevel) return `${one.folder} imports ${other.folder}, which stands above it`;
  if (toLevel === 2 && other.part === 'store') return `the store of ${other.folder} is its own`;
  if (toLevel < fromLevel) return null;
  if (fromLevel === 0) return null;
  if (fromLevel === 1) return 'catalog and statistics do not know each other';
  if (fromLevel === 3)
    return SHELLS.indexOf(other.folder) < SHELLS.indexOf(one.folder) ? null : `${one.folder} is below ${other.folder}`;
  if (SUBJECTS.indexOf(other.folder) > SUBJECTS.indexOf(one.folder)) return `${other.folder} comes after ${one.folder}`;
  return (PARTS[other.part] ?? 0) <= (PARTS[one.part] ?? 0)
    ? null
    : `a ${one.part} uses the ${other.part} of ${other.folder}`;
}

function forbiddenInside(one: ReturnType<typeof placeOf>, other: ReturnType<typeof placeOf>): string | null {
  if (one.folder === 'base') {
    const [fromRank = Number.NaN, toRank = Number.NaN] = [BASE[one.inner], BASE[other.inner]];
    return one.inner === other.inner || toRank < fromRank ? null : `base/${one.inner} imports base/${other.inner}`;
  }
  if (!isSubject(one.folder) || one.part === other.part) return null;
  const [fromRank = 0, toRank = 0] = [PARTS[one.part], PARTS[other.part]];
  return toRank < fromRank || (one.part !== 'use case' && other.part !== 'use case' && toRank <= fromRank)
    ? null
    : `the ${one.part} of ${one.folder} imports its ${other.part}`;
}

/** How a break is named in `KNOWN_BREAKS`: the subject or folder that imports. */
export function breakerOf(path: string): string {
  const { tree, folder, inner } = placeOf(path);
  if (tree !== 'src') return `${tree}/${folder}`;
  return folder === 'base' ? `base/${inner}` : folder;
}
