import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { computeEnvironment } from '#src/base/platform/processes/childEnvironment.ts';
import { realProbes } from '#workers/tensor/backendProbes.ts';
import { BACKEND_NAMES, chooseBackend, type DetectedBackend, detectBackends } from '#workers/tensor/detectBackends.ts';
import { shortMessage } from './databaseFailure.ts';

const OPEN_MS = 60_000;

const answerSchema = z.object({
  answer: z.object({ name: z.enum(BACKEND_NAMES), device: z.string(), isGpu: z.boolean(), reason: z.string() }),
});

/** What a worker says that it computes on; `isGpu` is whether runs that require a GPU find one, whatever the others have. */
export type WorkingBackend = Pick<DetectedBackend, 'name' | 'device' | 'isGpu'>;

/**
 * The backend that this machine's runs will have where they do not require a GPU. A graphics processor is believed only when it
 * opens, in a process of its own since a driver can take its process down: runs that need one must not come to a worker that has
 * none.
 * @param warn Told why a detected one is not used.
 */
export async function workingBackend(forced: string | null, warn: (message: string) => void): Promise<WorkingBackend> {
  const gpu = chooseBackend(forced, realProbes, { requireGpu: true });
  if (!gpu.isGpu) return chooseBackend(forced);
  try {
    const options = { timeout: OPEN_MS, env: computeEnvironment() };
    const { stdout } = await promisify(execFile)(process.execPath, [builtFile('inspect.js'), 'device'], options);
    const { answer } = answerSchema.parse(JSON.parse(stdout));
    if (answer.name !== gpu.name) warn(`${answer.name} is used: ${answer.reason}`);
    return backendOfPlainRuns(answer, forced);
  } catch (thrown) {
    warn(
      `${gpu.name} on ${gpu.device} does not open, so this worker counts as one without a GPU: ${shortMessage(thrown)}`,
    );
    return forced === gpu.name ? { ...gpu, isGpu: false } : processorBackend(detectBackends());
  }
}

/** What runs have that require no GPU, by what opens for those that do: WebGPU is for the latter alone, unless it is forced. */
export function backendOfPlainRuns(
  opened: WorkingBackend,
  forced: string | null,
  backends: readonly DetectedBackend[] = detectBackends(),
): WorkingBackend {
  if (opened.name !== 'webgpu' || forced === 'webgpu') return opened;
  return { ...processorBackend(backends), isGpu: opened.isGpu };
}

function processorBackend(backends: readonly DetectedBackend[]): WorkingBackend {
  const { name, device, isGpu } = backends.find(
    ({ name, present }) => name !== 'tensorflow' && name !== 'webgpu' && present,
  )!;
  return { name, device, isGpu };
}
