import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CONTAINER_LABEL, type WorkerOffers } from '#src/base/contracts/runNeeds.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { memoryLimitBytes } from '../shared/processMemory.ts';

const ASK_MS = 10_000;

/** What this machine has for commands; null unless the worker may execute them. */
export async function workerOffers(
  environment: Environment,
  { hasContainers }: { hasContainers: boolean },
): Promise<WorkerOffers | null> {
  const { allowCommands, gpus, memoryMb, threads, labels, slots } = environment;
  if (!allowCommands) return null;
  return {
    command: true,
    gpus: gpus ?? (await gpusOfDriver()),
    memoryMb: memoryMb ?? Math.floor(memoryLimitBytes() / 2 ** 20),
    cores: threads,
    labels: hasContainers ? [...new Set([...labels, CONTAINER_LABEL])] : labels,
    slots,
  };
}

/** The numbers that NVIDIA's driver gives its GPUs; none where there is no driver. */
async function gpusOfDriver(): Promise<number[]> {
  const question = ['--query-gpu=index', '--format=csv,noheader'];
  const answer = await promisify(execFile)('nvidia-smi', question, { timeout: ASK_MS }).catch(() => null);
  const lines = answer?.stdout.split('\n').map((line) => line.trim()) ?? [];
  return lines.filter((line) => /^\d+$/.test(line)).map(Number);
}
