import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Arithmetic } from '#src/base/contracts/arithmetic.ts';
import { BACKEND_FIGURES, type BackendFigures } from '#src/base/contracts/backendFigures.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { readEnvironment } from '#src/base/platform/environment.ts';
import { BACKEND_NAMES, type BackendName, detectBackends } from '#workers/tensor/detectBackends.ts';
import type { BenchResult } from './benchResult.ts';
import { type EpochTask, probeEpochs } from './epochProbe.ts';
import { timingOf } from './pythonPeer.ts';
import { torchEpochs } from './torchEpochs.ts';

/** The networks whose epochs are compared, each as a preset has it. */
export const EPOCH_CASES: Readonly<Record<string, Pick<EpochTask, 'kind' | 'preset' | 'parameters'>>> = {
  sasrec: { kind: 'sasrec', preset: 'sevo/sasrec-beauty', parameters: {} },
  gru4rec: {
    kind: 'gru4rec',
    preset: 'sevo/gru4rec-beauty',
    parameters: { samples: 'positions', loss: 'softmax' },
  },
  bert4rec: { kind: 'bert4rec', preset: 'sevo/bert4rec-beauty', parameters: {} },
  lightgcn: { kind: 'lightgcn', preset: 'sevo/lightgcn-beauty', parameters: {} },
  dlr2: { kind: 'dlr2', preset: 'leporid/dlr2-random-ml-1m', parameters: {} },
  'mf-bpr': { kind: 'mf-bpr', preset: 'sevo/mf-bpr-beauty', parameters: {} },
};

/** Beside the backends: the kernels with other arithmetic. */
const FUSED_WAY = 'wasm-fused';
const OPENBLAS_WAY = 'wasm-openblas';

const HOUR_MS = 3_600_000;

const timesSchema = z.object({
  seconds: z.array(z.number()).min(1),
  processorSeconds: z.array(z.number()).min(1),
  losses: z.array(z.number()),
  steps: z.number(),
  device: z.string(),
  isGpu: z.boolean(),
  version: z.string(),
  peakTensorBytes: z.number(),
  peakMemoryMb: z.number(),
});

const USAGE = `bench backends: an epoch of each network on each backend that is here, beside PyTorch
  --cases a,b      of ${Object.keys(EPOCH_CASES).join(', ')}; all by default
  --backends a,b   of ${BACKEND_NAMES.join(', ')}; those that are here by default, without cpu and software GPUs
  --rounds N       processes of each, in turn; 3 by default
  --epochs N       counted in each process, after one that warms up; 1 by default
  --steps N        counted instead of whole epochs: for a look, or where an epoch is long
  --users N        only the first N users of each dataset
  --fused          wasm also with fused multiply-adds, in turn with the others
  --openblas       wasm also with products by OpenBLAS, in turn with the others
  --torch-form F   how PyTorch puts sequences together: grouped by length, the default, or padded
  --no-torch       without PyTorch (WARREN_PEER_PYTHON names another Python for it)
  --save           keeps the figures in Warren's home, where \`warren doctor\` reads them`;

/** What the flags of the command ask for. */
interface Plan {
  cases: string[];
  backends: BackendName[];
  rounds: number;
  epochs: number;
  steps: number | null;
  users: number | null;
  fused: boolean;
  openblas: boolean;
  torch: boolean;
  torchForm: 'padded' | 'grouped';
  save: boolean;
}

/**
 * An epoch of training of six networks on every backend that is here, beside PyTorch: each in a process of its own, the backends
 * in turn and several rounds, so that what else the machine does falls on all alike. The times by the clock are the result;
 * processor time, which another program's load changes less, stands in the notes.
 */
export async function backendsBench(flags: readonly string[]): Promise<BenchResult> {
  const probe = flags.indexOf('--probe');
  if (probe >= 0) return answerProbe(flags[probe + 1] ?? '');
  const plan = planOf(flags);
  const result: BenchResult = { name: 'backends', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const threads = availableParallelism();
  const each = plan.steps === null ? `${plan.epochs} counted epochs` : `${plan.steps} counted steps`;
  result.notes.push(`${threads} threads; ${plan.rounds} rounds of ${each}`);
  for (const name of plan.cases) await caseRounds(result, name, { ...plan, threads });
  if (plan.save) saveFigures(result);
  return result;
}

async function caseRounds(result: BenchResult, name: string, plan: Plan & { threads: number }): Promise<void> {
  const { rounds, epochs, steps, users, threads } = plan;
  const task = { ...EPOCH_CASES[name]!, users, threads, epochs, steps };
  let stepsOfEpoch = steps ?? 0;
  const took = new Map<string, { seconds: number[]; processor: number[]; note: string }>();
  const add = (way: string, seconds: number[], processor: number[], note: string): void => {
    const known = took.get(way) ?? { seconds: [], processor: [], note: '' };
    took.set(way, { seconds: [...known.seconds, ...seconds], processor: [...known.processor, ...processor], note });
  };
  const ways = plan.backends.flatMap((backend): { backend: BackendName; arithmetic: Arithmetic; way: string }[] => [
    { backend, arithmetic: 'plain', way: backend },
    ...(plan.fused && backend === 'wasm' ? [{ backend, arithmetic: 'fused' as const, way: FUSED_WAY }] : []),
    ...(plan.openblas && backend === 'wasm' ? [{ backend, arithmetic: 'openblas' as const, way: OPENBLAS_WAY }] : []),
  ]);
  const failed = new Set<string>();
  const fail = (way: string, reason: string): void => {
    failed.add(way);
    result.notes.push(`${name} on ${way}: ${reason}`);
  };
  for (let round = 0; round < rounds; round++) {
    for (const { backend, arithmetic, way } of ways) {
      if (failed.has(way)) continue;
      const answer = inOwnProcess({ ...task, backend, arithmetic });
      if (typeof answer === 'string') fail(way, answer);
      else {
        const { seconds, processorSeconds, losses, device, version, peakMemoryMb } = answer;
        stepsOfEpoch = answer.steps;
        const loss = losses.at(-1)?.toFixed(4) ?? 'not told';
        add(way, seconds, processorSeconds, `loss ${loss}, ${peakMemoryMb} MiB, ${version}, ${device}`);
      }
    }
    if (!plan.torch || failed.has('torch') || stepsOfEpoch === 0) continue;
    const theirs = await torchEpochs(name, { ...task, device: 'cpu', form: plan.torchForm, steps: stepsOfEpoch });
    if (typeof theirs === 'string') fail('torch', theirs);
    else
      add(
        'torch',
        theirs.seconds,
        theirs.processorSeconds,
        `loss ${theirs.losses.at(-1)?.toFixed(4)}, ${theirs.torch}`,
      );
  }
  for (const [way, { seconds, processor, note }] of took) {
    const key = way === 'torch' ? `${name}/torch` : `${name} on ${way}`;
    const { median, spread } = timingOf(seconds);
    result[way === 'torch' ? 'peers' : 'ours'][key] = median;
    result.spread[key] = spread;
    const used = timingOf(processor);
    result.notes.push(
      `${key}: ${used.median.toFixed(2)} s of processor, at best ${used.spread[0].toFixed(2)}; ${note}`,
    );
  }
  ratios(result, name, took);
}

/** Each backend over wasm, and over PyTorch. */
function ratios(result: BenchResult, name: string, took: ReadonlyMap<string, { seconds: number[] }>): void {
  const secondsOf = (way: string): number | null => {
    const found = took.get(way);
    return found === undefined ? null : timingOf(found.seconds).median;
  };
  for (const way of took.keys()) {
    for (const other of ['wasm', 'torch']) {
      const [ours, theirs] = [secondsOf(way), secondsOf(other)];
      if (way === other || way === 'torch' || ours === null || theirs === null) continue;
      result.ratios[`${name} on ${way}/${other}`] = ours / theirs;
    }
  }
}

/** The medians by case and backend, for \`warren doctor\`. */
function saveFigures({ ours }: BenchResult): void {
  const seconds: Record<string, Record<string, number>> = {};
  for (const [key, value] of Object.entries(ours)) {
    const [name = '', backend = ''] = key.split(' on ');
    if (backend === FUSED_WAY || backend === OPENBLAS_WAY) continue;
    seconds[name] = { ...seconds[name], [backend]: value };
  }
  const { home } = readEnvironment();
  mkdirSync(home, { recursive: true });
  const figures: BackendFigures = {
    measuredAt: new Date().toISOString(),
    processor: cpus()[0]?.model.trim() ?? '',
    seconds,
  };
  writeFileSync(join(home, BACKEND_FIGURES), `${JSON.stringify(figures, null, 2)}\n`);
}

/** The epochs of one task, in a process of its own, or why there are none. */
export function inOwnProcess(
  { arithmetic, ...task }: EpochTask & { arithmetic?: Arithmetic },
  limitMs = HOUR_MS,
): z.output<typeof timesSchema> | string {
  const given = [builtFile('bench.js'), 'backends', '--probe', JSON.stringify(task)];
  const openblas = process.env.WARREN_OPENBLAS;
  const asked = {
    WARREN_FUSED: arithmetic === 'fused' ? 'on' : 'off',
    WARREN_OPENBLAS: arithmetic !== 'openblas' ? 'off' : openblas === undefined || openblas === 'off' ? 'on' : openblas,
  };
  const env = { ...process.env, ...(arithmetic === undefined ? {} : asked) };
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26, timeout: limitMs, env } as const;
  const { status, signal, error, stdout, stderr } = spawnSync(process.execPath, given, options);
  if (status === 0 && error === undefined) return timesSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  return (
    error?.message ??
    stderr
      .trim()
      .split('\n')
      .findLast((line) => /error:/i.test(line)) ??
    `ended with ${status ?? signal}`
  );
}

const taskSchema = z.object({
  kind: z.string(),
  preset: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  users: z.number().nullable(),
  backend: z.string(),
  threads: z.number(),
  epochs: z.number(),
  steps: z.number().nullable(),
});

async function answerProbe(task: string): Promise<never> {
  console.log(JSON.stringify(await probeEpochs(taskSchema.parse(JSON.parse(task)))));
  process.exit(0);
}

function planOf(flags: readonly string[]): Plan {
  const valueAt = (flag: string): string | null => {
    const place = flags.indexOf(flag);
    return place < 0 ? null : (flags[place + 1] ?? '');
  };
  const refuse = (message: string): never => {
    console.error(`bench: ${message}\n${USAGE}`);
    process.exit(2);
  };
  if (flags.includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  const listOf = <Name extends string>(flag: string, known: readonly Name[], fallback: Name[]): Name[] => {
    const given = valueAt(flag);
    if (given === null) return fallback;
    return given.split(',').map((word) => {
      const found = known.find((name) => name === word);
      return found ?? refuse(`${flag}: expected some of ${known.join(', ')}, got "${word}"`);
    });
  };
  const numberOf = (flag: string, fallback: number | null): number | null => {
    const given = valueAt(flag);
    if (given === null) return fallback;
    return Number.isInteger(Number(given)) && Number(given) > 0
      ? Number(given)
      : refuse(`${flag}: expected a whole number above 0, got "${given}"`);
  };
  const here = detectBackends().filter(
    ({ present, name, isGpu }) => present && name !== 'cpu' && (name !== 'webgpu' || isGpu),
  );
  return {
    cases: listOf('--cases', Object.keys(EPOCH_CASES), Object.keys(EPOCH_CASES)),
    backends: listOf(
      '--backends',
      BACKEND_NAMES,
      here.map(({ name }) => name),
    ),
    rounds: numberOf('--rounds', 3)!,
    epochs: numberOf('--epochs', 1)!,
    steps: numberOf('--steps', null),
    users: numberOf('--users', null),
    fused: flags.includes('--fused'),
    openblas: flags.includes('--openblas'),
    torch: !flags.includes('--no-torch'),
    torchForm: listOf('--torch-form', ['padded', 'grouped'], ['grouped'])[0]!,
    save: flags.includes('--save'),
  };
}
