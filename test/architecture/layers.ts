/** The layers of each tree: a folder imports only folders of its tree with a smaller number. */
export const LAYERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  src: {
    lib: 0,
    generated: 0,
    contracts: 1,
    catalog: 2,
    statistics: 2,
    reproductions: 3,
    sweeps: 3,
    platform: 3,
    store: 4,
    queue: 4,
    services: 5,
    graphql: 6,
    mlflow: 6,
    server: 7,
    cli: 8,
  },
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

const SHARED_WITH_WORKERS = ['lib', 'contracts', 'catalog', 'statistics'];
/** Folders of src without a library of Node in them. */
const SHARED_WITH_WEB = ['lib', 'contracts', 'statistics'];
const SHARED_WITH_RUNTIME = [...SHARED_WITH_WORKERS, 'platform', 'store', 'queue', 'services'];

/** Why `from` may not import `to`, or null when it may. Paths are relative to the project's root. */
export function forbiddenBecause(from: string, to: string): string | null {
  const [fromTree = '', fromFolder = ''] = from.split('/');
  const [toTree = '', toFolder = ''] = to.split('/');
  if (fromTree === toTree) {
    if (fromFolder === toFolder) return null;
    const fromRank = LAYERS[fromTree]?.[fromFolder];
    const toRank = LAYERS[toTree]?.[toFolder];
    if (fromRank === undefined) return `${fromTree}/${fromFolder} has no layer`;
    if (toRank === undefined) return `${toTree}/${toFolder} has no layer`;
    return toRank < fromRank ? null : `layer ${fromRank} imports layer ${toRank}`;
  }
  if (fromTree === 'workers' && toTree === 'src') {
    const allowed = fromFolder === 'runtime' ? SHARED_WITH_RUNTIME : SHARED_WITH_WORKERS;
    return allowed.includes(toFolder) ? null : `workers/${fromFolder} may not import src/${toFolder}`;
  }
  if (fromTree === 'web' && toTree === 'src' && SHARED_WITH_WEB.includes(toFolder)) return null;
  if (fromTree === 'web' && toTree === 'workers' && toFolder === 'math') return null;
  return `${fromTree} may not import ${toTree}`;
}
