import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { builtFile } from '#src/lib/projectRoot.ts';
import { computeEnvironment } from '#src/platform/processes/childEnvironment.ts';
import { BACKEND_NAMES, chooseBackend, type DetectedBackend, detectBackends } from '#workers/tensor/detectBackends.ts';
import { shortMessage } from './databaseFailure.ts';

const OPEN_MS = 60_000;

const answerSchema = z.object({
  answer: z.object({ name: z.enum(BACKEND_NAMES), device: z.string(), isGpu: z.boolean(), reason: z.string() }),
});

/** What a worker says that it computes on. */
export type WorkingBackend = Pick<DetectedBackend, 'name' | 'device' | 'isGpu'>;

/**
 * The backend that this machine's runs will have. A graphics processor is believed only when it opens, in a process of
 * its own since a driver can take its process down: runs that need one must not come to a worker that has none.
 * @param warn Told why a detected one is not used.
 */
export async function workingBackend(forced: string | null, warn: (message: string) => void): Promise<WorkingBackend> {
  const chosen = chooseBackend(forced);
  if (!chosen.isGpu) return chosen;
  try {
    const options = { timeout: OPEN_MS, env: computeEnvironment() };
    const { stdout } = await promisify(execFile)(process.execPath, [builtFile('inspect.js'), 'device'], options);
    const { answer } = answerSchema.parse(JSON.parse(stdout));
    if (answer.name !== chosen.name) warn(`${answer.name} is used: ${answer.reason}`);
    return answer;
  } catch (thrown) {
    warn(
      `${chosen.name} on ${chosen.device} does not open, so this worker counts as one without a GPU: ${shortMessage(thrown)}`,
    );
    return forced === chosen.name
      ? { ...chosen, isGpu: false }
      : detectBackends().find(({ name, present }) => name !== 'tensorflow' && name !== 'webgpu' && present)!;
  }
}
