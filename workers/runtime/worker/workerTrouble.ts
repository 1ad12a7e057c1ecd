import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { availableMemory } from 'node:process';
import { promisify } from 'node:util';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { workingBackend } from './workingBackend.ts';

/** What is wrong with the worker itself, in words; null when that works. */
export type WorkerTry = () => Promise<string | null>;

const MEBIBYTE = 2 ** 20;
const LEAST_ROOM = 64 * MEBIBYTE;
/** Of a disk that is small as a whole. */
const LEAST_PART = 0.05;
const LEAST_MEMORY = 128 * MEBIBYTE;
const DRIVER_MS = 20_000;

/** Whether files of runs can be written into a folder. */
export function roomTry(folder: string, { leastBytes = LEAST_ROOM, leastPart = LEAST_PART } = {}): WorkerTry {
  return async () => {
    const file = join(folder, `.try-${process.pid}`);
    try {
      await mkdir(folder, { recursive: true });
      const { bavail, blocks, bsize } = await statfs(folder);
      const least = Math.min(leastBytes, leastPart * blocks * bsize);
      if (bavail * bsize < least) return `its disk is full: ${formatBytes(bavail * bsize)} left for ${folder}`;
      await writeFile(file, 'x');
      return null;
    } catch (thrown) {
      return `it cannot write into ${folder}: ${coerceError(thrown).message}`;
    } finally {
      await rm(file, { force: true }).catch(() => undefined);
    }
  };
}

/** Whether the machine has memory left for another run. */
export const memoryTry: WorkerTry = async () => {
  const bytes = availableMemory();
  return bytes < LEAST_MEMORY ? `its machine has ${formatBytes(bytes)} of memory left` : null;
};

/** Whether the graphics processor opens that the worker has said it computes on. */
export function backendTry(forced: string | null): WorkerTry {
  return async () => {
    let why = 'its graphics processor is gone';
    const found = await workingBackend(forced, (message) => {
      why = message;
    });
    return found.isGpu ? null : why;
  };
}

/** Whether NVIDIA's driver still has the GPUs that the worker gives to programs. */
export function driverTry(gpus: readonly number[]): WorkerTry {
  return async () => {
    const question = ['--query-gpu=index', '--format=csv,noheader'];
    const answer = await promisify(execFile)('nvidia-smi', question, { timeout: DRIVER_MS }).catch(() => null);
    const found = answer?.stdout.split('\n').map((line) => Number.parseInt(line, 10)) ?? [];
    const missing = gpus.filter((gpu) => !found.includes(gpu));
    return missing.length === 0 ? null : `its driver does not show GPU ${missing.join(', ')} any more`;
  };
}

export interface TriedWorker {
  /** In which runs keep files. */
  folders: readonly string[];
  /** Whether it computes on a graphics processor. */
  gpu: boolean;
  /** WARREN_BACKEND. */
  backend: string | null;
  /** What the driver has shown of GPUs for programs; none where they were named. */
  driverGpus: readonly number[];
}

/** What a worker is tried by. */
export function triesOf({ folders, gpu, backend, driverGpus }: TriedWorker) {
  return {
    quick: [...[...new Set(folders)].map((folder) => roomTry(folder)), memoryTry],
    thorough: [...(gpu ? [backendTry(backend)] : []), ...(driverGpus.length === 0 ? [] : [driverTry(driverGpus)])],
  };
}

export interface WorkerTroubleOptions {
  /** Made every few seconds. */
  quick: readonly WorkerTry[];
  /** Made when a run has failed, and until they succeed. */
  thorough: readonly WorkerTry[];
  /** Told each time that something else is wrong, or nothing any more. */
  onChange(trouble: string | null): void;
}

/**
 * What is wrong with a worker: its disk, memory or devices. It is not the runs' fault: they are given back, and it takes none until a try
 * succeeds.
 */
export class WorkerTrouble {
  private trouble: string | null = null;
  private wasThorough = false;

  constructor(private readonly options: WorkerTroubleOptions) {}

  /** Makes the quick tries, and the others where one of them has found the trouble that there is. */
  async look(): Promise<string | null> {
    return await this.make(this.wasThorough);
  }

  /** Makes all tries: a run has failed here. */
  async lookClosely(): Promise<string | null> {
    return await this.make(true);
  }

  private async make(isThorough: boolean): Promise<string | null> {
    const quick = await firstTrouble(this.options.quick);
    const found = quick ?? (isThorough ? await firstTrouble(this.options.thorough) : null);
    this.wasThorough = quick === null && found !== null;
    if (found !== this.trouble) {
      this.trouble = found;
      this.options.onChange(found);
    }
    return found;
  }
}

async function firstTrouble(tries: readonly WorkerTry[]): Promise<string | null> {
  for (const attempt of tries) {
    const found = await attempt();
    if (found !== null) return found;
  }
  return null;
}
