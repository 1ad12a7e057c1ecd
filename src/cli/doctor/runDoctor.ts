import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { padText } from '#src/base/terminal/textWidth.ts';
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
import { checkKindModules } from './checkKindModules.ts';
import type { z } from 'zod';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { backendsSchema, datasetsSchema, inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';
import { backendAdvice } from './backendAdvice.ts';
import { openblasFinding } from './openblasFinding.ts';
import { checkApi, checkDatabase, checkQueue } from './checkServices.ts';

/** Tensor backends with their devices, and WebAssembly, on which the kernels run. */
async function checkBackends(context: CommandContext): Promise<Finding[]> {
  const { home } = context.environment();
  try {
    const { backends, chosen, fused, openblas } = await inspectNumerics(context, ['backends'], backendsSchema);
    const findings = backends.map((backend): Finding => {
      const subject = `Backend ${backend.name}`;
      const version = backend.version === null ? '' : ` (${backend.version})`;
      const here = `${backend.reason}${version}; ${backend.device}${backend.name === chosen ? '; used' : ''}`;
      if (backend.present) return { subject, level: 'ok', found: here };
      // The hand-written kernels are WebAssembly with SIMD and threads: without it nothing computes.
      const needed = backend.name === 'wasm';
      return {
        subject,
        level: needed ? 'broken' : 'note',
        found: backend.reason,
        advice: needed ? 'use Node 20.19 or newer on a 64-bit processor' : 'not needed: another backend is used',
      };
    });
    return [
      ...findings,
      fusedFinding(fused),
      openblasFinding(openblas, { isFused: fused.wanted }),
      ...backendAdvice(home, chosen),
    ];
  } catch (error) {
    return [
      {
        subject: 'Backends',
        level: 'broken',
        found: coerceError(error).message,
        advice: 'correct WARREN_BACKEND, or npm run build',
      },
    ];
  }
}

/** Whether the kernels round products and sums together, and whether they could. */
function fusedFinding({ wanted, support }: z.output<typeof backendsSchema>['fused']): Finding {
  const subject = 'Fused multiply-adds';
  const found = {
    fused: `${wanted ? 'on (WARREN_FUSED)' : 'off'}; this engine and this processor have them`,
    engine: `${wanted ? 'wanted by WARREN_FUSED, but ' : ''}V8 ${process.versions.v8} has no relaxed SIMD`,
    processor: `${wanted ? 'wanted by WARREN_FUSED, but ' : ''}this processor has none`,
  }[support];
  if (!wanted) return { subject, level: 'ok', found };
  if (support === 'fused') return { subject, level: 'ok', found };
  return support === 'engine'
    ? { subject, level: 'broken', found, advice: 'use Node 20.19 or newer, or unset WARREN_FUSED' }
    : { subject, level: 'note', found, advice: 'numbers are those without them; unset WARREN_FUSED' };
}

/** Known datasets that are in the data folders. */
async function checkDatasets(context: CommandContext): Promise<Finding> {
  const { dataFolders } = context.environment();
  const subject = 'Datasets';
  try {
    const datasets = await inspectNumerics(context, ['datasets'], datasetsSchema);
    const here = datasets.filter((dataset) => dataset.path !== null).map((dataset) => dataset.name);
    const searched = `searched ${dataFolders.join(', ')}`;
    if (here.length > 0) return { subject, level: 'ok', found: `${here.join(', ')}; ${searched}` };
    return {
      subject,
      level: 'note',
      found: `none; ${searched}`,
      advice:
        'set WARREN_DATA to a folder with datasets (`warren data ls` says where they come from); generated ones are always there',
    };
  } catch (error) {
    return { subject, level: 'broken', found: coerceError(error).message, advice: 'npm run build' };
  }
}

const GIB = 2 ** 30;
const PROGRAMS = [
  ...['api.js', 'worker.js', 'executor.js', 'compute.js', 'inspect.js'],
  ...['kernels.wasm', 'kernels-fused.wasm', 'web/index.html'],
];

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const found = `${process.version}, ${process.platform} ${process.arch}`;
  if (major < 20 || (major === 20 && minor < 19)) {
    return { subject: 'Node', level: 'broken', found, advice: 'install Node 20.19 or newer from https://nodejs.org' };
  }
  return { subject: 'Node', level: 'ok', found };
}

function checkPrograms(): Finding {
  const missing = PROGRAMS.filter((name) => !existsSync(builtFile(name)));
  if (missing.length === 0) return { subject: 'Programs', level: 'ok', found: 'all built' };
  return { subject: 'Programs', level: 'broken', found: `not built: ${missing.join(', ')}`, advice: 'npm run build' };
}

function checkMemory(): Finding {
  const found = `${formatBytes(freemem())} free of ${formatBytes(totalmem())}, ${availableParallelism()} cores`;
  if (totalmem() >= 2 * GIB) return { subject: 'Memory', level: 'ok', found };
  return { subject: 'Memory', level: 'note', found, advice: 'runs on larger datasets want 2 GiB or more' };
}

async function checkDisk({ home }: Environment): Promise<Finding> {
  const subject = 'Disk';
  let folder = home;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const found = `${formatBytes(bavail * bsize)} free for ${home}`;
  if (bavail * bsize >= 2 * GIB) return { subject, level: 'ok', found };
  const level = bavail * bsize < GIB / 4 ? 'broken' : 'note';
  return { subject, level, found, advice: 'free some space, or set WARREN_HOME to a folder on a larger disk' };
}

async function checkPort(environment: Environment): Promise<Finding> {
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

/** The body of `warren doctor`: all checks at once, then one line each, with what to do below it. */
export async function runDoctor(context: CommandContext, json: boolean): Promise<void> {
  const { terminal } = context;
  const environment = context.environment();
  const checks = await Promise.all([
    checkNode(),
    checkPrograms(),
    checkDatabase(environment),
    checkQueue(environment),
    checkApi(environment),
    checkBackends(context),
    checkDatasets(context),
    checkKindModules(),
    checkDisk(environment),
    checkMemory(),
    checkPort(environment),
  ]);
  const findings = checks.flat();
  const broken = findings.filter((finding) => finding.level === 'broken');
  if (broken.length > 0) context.exitCode = EXIT_FAILED;
  if (json) {
    terminal.print(JSON.stringify({ healthy: broken.length === 0, findings }, null, 2));
    return;
  }
  const width = Math.max(...findings.map((finding) => finding.subject.length));
  for (const finding of findings) for (const line of describe(finding, width, terminal.colours)) terminal.print(line);
  terminal.print(
    broken.length === 0
      ? '\nEverything that is needed is here.'
      : `\nBroken: ${broken.map((finding) => finding.subject).join(', ')}.`,
  );
}

function describe({ subject, level, found, advice }: Finding, width: number, colours: Colours): string[] {
  const mark = { ok: colours.green('ok    '), note: colours.yellow('note  '), broken: colours.red('BROKEN') }[level];
  const first = `${mark}  ${padText(subject, width)}  ${found}`;
  return advice === undefined ? [first] : [first, `${' '.repeat(width + 10)}→ ${advice}`];
}
