import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { readInstance } from '#src/base/platform/instance.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { Finding } from '#src/base/terminal/finding.ts';

const GIB = 2 ** 30;
const PROGRAMS = [
  ...['api.js', 'worker.js', 'executor.js', 'compute.js', 'inspect.js'],
  ...['kernels.wasm', 'kernels-fused.wasm', 'web/index.html'],
];

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const found = `${process.version}, ${process.platform} ${process.arch}`;
  if (major < 20 || (major === 20 && minor < 19)) {
    return { subject: 'Node', level: 'broken', found, advice: 'install Node 20.19 or newer from https://nodejs.org' };
  }
  return { subject: 'Node', level: 'ok', found };
}

export function checkPrograms(): Finding {
  const missing = PROGRAMS.filter((name) => !existsSync(builtFile(name)));
  if (missing.length === 0) return { subject: 'Programs', level: 'ok', found: 'all built' };
  return { subject: 'Programs', level: 'broken', found: `not built: ${missing.join(', ')}`, advice: 'npm run build' };
}

export function checkMemory(): Finding {
  const found = `${formatBytes(freemem())} free of ${formatBytes(totalmem())}, ${availableParallelism()} cores`;
  if (totalmem() >= 2 * GIB) return { subject: 'Memory', level: 'ok', found };
  return { subject: 'Memory', level: 'note', found, advice: 'runs on larger datasets want 2 GiB or more' };
}

export async function checkDisk({ home }: Environment): Promise<Finding> {
  const subject = 'Disk';
  let folder = home;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const found = `${formatBytes(bavail * bsize)} free for ${home}`;
  if (bavail * bsize >= 2 * GIB) return { subject, level: 'ok', found };
  const level = bavail * bsize < GIB / 4 ? 'broken' : 'note';
  return { subject, level, found, advice: 'free some space, or set WARREN_HOME to a folder on a larger disk' };
}

export async function checkPort(environment: Environment): Promise<Finding> {
  const { host, port, home } = environment;
  const subject = 'Address';
  const instance = await readInstance(home);
  if (instance !== null)
    return { subject, level: 'ok', found: `Warren runs at ${instance.apiUrl} (process ${instance.pid})` };
  const free = await freePort(port, host);
  if (free === port || port === 0) return { subject, level: 'ok', found: `port ${port} of ${host} is free` };
  return {
    subject,
    level: 'note',
    found: `port ${port} of ${host} is taken by another program`,
    advice: `\`warren up\` would take ${free}; --port chooses`,
  };
}
