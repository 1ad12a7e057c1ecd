import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { builtFile, projectRoot } from '#src/base/lib/projectRoot.ts';
import type { BackendName } from '#workers/tensor/detectBackends.ts';
import { EPOCH_CASES, inOwnProcess } from '../backends.ts';
import type { EpochTask } from '../epochProbe.ts';
import { type TorchTask, torchEpochs } from '../torchEpochs.ts';
import { type Answer, command } from './stepCommand.ts';

/** One thing that is found out on the machine; done once, however often the bench is started. */
export interface GpuStep {
  name: string;
  /** Least minutes that it is begun with; it is ended when the time is over. */
  minutes: number;
  /** Whether it may take all the time that is left. */
  isLong?: boolean;
  run(limitMs: number): Promise<Answer>;
}

export interface GpuPlan {
  /** Backends with a GPU behind them, and wasm to compare with. */
  backends: readonly BackendName[];
  /** Of PyTorch. */
  device: 'cpu' | 'cuda';
  /** Sizes that any machine does in minutes, to try the script itself. */
  tiny: boolean;
}

/** In the order of their worth: whatever time is left over, the first of them are there. */
export function gpuSteps({ backends, device, tiny }: GpuPlan): GpuStep[] {
  const gpus = backends.filter((name) => name !== 'wasm');
  const size = tiny ? { users: 300, steps: 2, epochs: 1 } : { users: null, steps: null, epochs: 2 };
  const few = { ...size, steps: tiny ? 2 : 30 };
  return [
    machine(),
    ...gpus.map((backend) => verification(backend)),
    ...Object.keys(EPOCH_CASES).flatMap((name) =>
      (['padded', 'grouped'] as const)
        .filter((form) => form === 'padded' || ['sasrec', 'gru4rec', 'bert4rec'].includes(name))
        .map((form) => peer(name, { ...taskOf(name), ...few, device, form })),
    ),
    ...gpus.flatMap((backend) => [
      // beside the padded form of PyTorch, which counts as many steps
      ...Object.keys(EPOCH_CASES).map((name) =>
        epoch(`${name} on ${backend}, steps`, { ...taskOf(name), ...few, backend }),
      ),
      ...Object.keys(EPOCH_CASES).map((name) => epoch(`${name} on ${backend}`, { ...taskOf(name), ...size, backend })),
      epoch(`sasrec with SEvo on ${backend}, steps`, {
        kind: 'sasrec',
        preset: 'sevo/sasrec-beauty-sevo',
        parameters: {},
        threads,
        ...few,
        backend,
      }),
      epoch(`dlr2 in the authors' image layout on ${backend}, steps`, {
        ...{ kind: 'dlr2', preset: EPOCH_CASES.dlr2!.preset, threads, ...few, backend },
        parameters: { layout: 'image', distance: 'mean-square', batchSize: 128 },
      }),
      ...[64, 256, 1024, 4096].map((dimension) =>
        epoch(`finite-rnn of width ${dimension} on ${backend}, steps`, {
          ...{ kind: 'finite-rnn', preset: 'overrec/finite-rnn-beauty', threads, ...few, backend },
          parameters: { dimension: tiny ? dimension / 32 : dimension },
        }),
      ),
      memory(backend, tiny),
    ]),
    ...(backends.includes('tensorflow') ? [suite(tiny)] : []), // it tests no WebGPU: that cannot be read at once
    ...gpus.flatMap((backend) => ['', '-sevo'].map((suffix) => wholeRun(`sevo/sasrec-beauty${suffix}`, backend, tiny))),
    ...(backends.includes('wasm')
      ? Object.keys(EPOCH_CASES).map((name) =>
          epoch(`${name} on wasm, steps`, { ...taskOf(name), ...few, backend: 'wasm' }),
        )
      : []),
  ];
}

const threads = availableParallelism();

function taskOf(name: string): Pick<EpochTask, 'kind' | 'preset' | 'parameters' | 'threads'> {
  return { ...EPOCH_CASES[name]!, threads };
}

function epoch(name: string, task: EpochTask): GpuStep {
  return {
    name,
    minutes: 1,
    run: async (limitMs) => {
      const answer = inOwnProcess(task, limitMs);
      if (typeof answer === 'string') return { failed: answer };
      const { losses, ...figures } = answer;
      return { figures: { ...figures, loss: losses.at(-1) ?? null } };
    },
  };
}

function peer(name: string, task: TorchTask): GpuStep {
  return {
    name: `${name} on torch, ${task.form}, steps`,
    minutes: 1,
    run: async (limitMs) => {
      const answer = await torchEpochs(name, task, limitMs);
      if (typeof answer === 'string') return { failed: answer };
      const { losses, ...figures } = answer;
      return { figures: { ...figures, loss: losses.at(-1) ?? null } };
    },
  };
}

/** What the machine is, in the words of its own programs. */
function machine(): GpuStep {
  return {
    name: 'machine',
    minutes: 0,
    run: async (limitMs) => {
      const gpu = await command(
        'nvidia-smi',
        ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader'],
        { limitMs },
      );
      const doctor = await command(process.execPath, [builtFile('cli.js'), 'doctor', '--json'], { limitMs });
      return { figures: { gpu: gpu.output.trim(), node: process.version, threads, doctor: parsed(doctor.output) } };
    },
  };
}

function verification(backend: BackendName): GpuStep {
  return {
    name: `doctor --verify on ${backend}`,
    minutes: 1,
    run: async (limitMs) => {
      const variables = { WARREN_BACKEND: backend };
      const { output, code } = await command(process.execPath, [builtFile('inspect.js'), 'verify', backend], {
        limitMs,
        variables,
      });
      return code === 0 ? { figures: parsed(output) } : { failed: output.slice(-2000) };
    },
  };
}

function suite(tiny: boolean): GpuStep {
  return {
    name: 'backend suite',
    minutes: 3,
    isLong: true,
    run: async (limitMs) => {
      const vitest = join(projectRoot(), 'node_modules', 'vitest', 'vitest.mjs');
      const files = tiny ? ['test/backends/floatMath.test.ts'] : ['test/backends'];
      const { code, output } = await command(
        process.execPath,
        [vitest, 'run', '--config', 'test/config/vitest.ts', ...files],
        { limitMs },
      );
      return code === 0 ? { figures: { passed: true, end: output.slice(-600) } } : { failed: output.slice(-4000) };
    },
  };
}

/** A process that takes tensors until there is no memory left, then lets go of them and computes on. */
function memory(backend: BackendName, tiny: boolean): GpuStep {
  return {
    name: `out of memory on ${backend}`,
    minutes: 1,
    run: async (limitMs) => {
      const given = [builtFile('bench.js'), 'gpu', '--fill', backend, '--gib', tiny ? '1' : '1024'];
      const { code, output } = await command(process.execPath, given, { limitMs });
      return code === 0 ? { figures: parsed(output) } : { failed: output.slice(-2000) };
    },
  };
}

function wholeRun(preset: string, backend: BackendName, tiny: boolean): GpuStep {
  const small = tiny ? ['--set', 'epochs=2', '--set', 'dataset.maximumUsers=300'] : [];
  return {
    name: `${preset} as a whole on ${backend}`,
    minutes: 4,
    isLong: true,
    run: async (limitMs) => {
      const given = [builtFile('cli.js'), 'run', 'sasrec', '--preset', preset, ...small, '--local', '--json'];
      const { code, output } = await command(process.execPath, given, {
        limitMs,
        variables: { WARREN_BACKEND: backend },
      });
      return code === 0 ? { figures: parsed(output) } : { failed: output.slice(-2000) };
    },
  };
}

/** The JSON object that a program printed, whatever its libraries printed before it. */
function parsed(output: string): unknown {
  const from = output.indexOf('{');
  try {
    return JSON.parse(output.slice(from, output.lastIndexOf('}') + 1));
  } catch {
    return { printed: output.slice(-2000) };
  }
}
