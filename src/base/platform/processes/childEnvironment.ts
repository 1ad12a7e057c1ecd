import { WARREN_VARIABLES } from '../environment.ts';
import { loadedBundles } from '../kindModules/loadedModules.ts';

/** What any program needs of its surroundings. */
const SYSTEM = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  // Windows
  'SYSTEMROOT',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];
/** How programs reach the network: proxies and further certificate authorities. */
const NETWORK = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
/** How Node runs, and how it reaches the network. */
const NODE = [
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'NODE_USE_SYSTEM_CA',
  'UV_THREADPOOL_SIZE',
  ...NETWORK,
];
/** What graphics drivers and numeric libraries read. */
const COMPUTE = [
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'DISPLAY',
  'XDG_RUNTIME_DIR',
  'XDG_CACHE_HOME',
  'XDG_DATA_DIRS',
];
const COMPUTE_PREFIXES = ['CUDA_', 'NVIDIA_', 'TF_', 'OMP_', 'VK_', 'MESA_', 'LIBGL_', 'DAWN_'];
/** Of Warren's own, what a process that computes may know: neither the address of a service nor a token. */
const COMPUTE_SETTINGS = [
  'WARREN_HOME',
  'WARREN_DATA',
  'WARREN_CACHE',
  'WARREN_BACKEND',
  'WARREN_FUSED',
  'WARREN_OPENBLAS',
  'WARREN_LIBTENSORFLOW',
  'WARREN_THREADS',
  'WARREN_LOG',
  'WARREN_OFFLINE',
];

/** How people sign in and how they are written to, with the secrets of both. */
const OF_API = /^WARREN_(?:OIDC_|SESSION_|SMTP_|ALERT_)/;

/**
 * The environment of the embedded PostgreSQL and its tools: no variable of Warren, no secret, and nothing that would change
 * how PostgreSQL behaves.
 */
export function postgresEnvironment(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...chosen(source, { names: SYSTEM }), LC_ALL: 'C' };
}

/**
 * The environment of a process that computes: no address of the database, no token, nothing of the user's other programs. It
 * gets the modules of kinds that this process has loaded.
 */
export function computeEnvironment(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const names = [...SYSTEM, ...NODE, ...COMPUTE, ...COMPUTE_SETTINGS];
  const bundles = loadedBundles();
  return {
    ...chosen(source, { names, prefixes: ['LC_', ...COMPUTE_PREFIXES] }),
    ...(bundles === undefined ? {} : { WARREN_KINDS: bundles }),
  };
}

/** What of the surroundings a user's program sees: nothing of Warren, nor how Warren runs, nor secrets of other programs. */
export function programOfUserEnvironment(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const names = [...SYSTEM, ...NETWORK, ...COMPUTE];
  return chosen(source, { names, prefixes: ['LC_', ...COMPUTE_PREFIXES] });
}

/**
 * The environment of Warren's own API: its settings, those of the connection to PostgreSQL and of traces. It needs no token: it
 * checks those of others.
 */
export function apiEnvironment(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return programEnvironment(source, () => true);
}

/** That of a worker: as the API's, without what only the API uses. It has a token from the database for each run. */
export function workerEnvironment(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return programEnvironment(source, (name) => !OF_API.test(name));
}

function programEnvironment(source: NodeJS.ProcessEnv, isWanted: (name: string) => boolean): NodeJS.ProcessEnv {
  const settings = WARREN_VARIABLES.filter((name) => name !== 'WARREN_TOKEN' && isWanted(name));
  const names = [...SYSTEM, ...NODE, ...COMPUTE, ...settings];
  return chosen(source, { names, prefixes: ['LC_', 'PG', 'OTEL_', ...COMPUTE_PREFIXES] });
}

/** What the API needs besides to reach a bucket of S3-compatible storage; its keys are nobody else's. */
export function bucketEnvironment(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return chosen(source, { names: [], prefixes: ['AWS_'] });
}

/** Names count in any case: Windows has `Path`, and proxies are often written in lower case. */
function chosen(
  source: NodeJS.ProcessEnv,
  { names, prefixes = [] }: { names: readonly string[]; prefixes?: readonly string[] },
): NodeJS.ProcessEnv {
  const wanted = new Set(names);
  const isWanted = (name: string): boolean => wanted.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(source).filter(([name]) => isWanted(name.toUpperCase())));
}
