import { toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import { readEnvironment } from '#src/base/platform/environment.ts';
import type { ModuleReport } from '#src/base/platform/kindModules/loadedModules.ts';
import { loadKindModules } from '#src/kinds/modules/loadKindModules.ts';
import type { Experiment } from '#workers/experiments/experiment.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { serveComputeThread } from './computeSession.ts';

const environment = readEnvironment();

/** Modules of kinds get all parts here: this is where they compute. */
async function loadKinds(): Promise<readonly ModuleReport[]> {
  if (environment.kindModules.length === 0) return [];
  return await loadKindModules(environment, { ...(await import('#workers/experiments/parts.ts')) });
}

// at once, while the thread waits for its task
const loaded = loadKinds();

/** The experiment of a kind. Throws NOT_FOUND, with what keeps modules from being loaded, where there is none. */
async function lookUp(kind: string): Promise<Experiment<unknown>> {
  try {
    return experimentOf(kind);
  } catch (thrown) {
    const { code, message } = toErrorRecord(thrown);
    const problems = (await loaded).flatMap(({ module, problem }) =>
      problem === null ? [] : [`${module}: ${problem}`],
    );
    if (code !== 'NOT_FOUND' || problems.length === 0) throw thrown;
    throw new WarrenError('NOT_FOUND', `${message} Not loaded: ${problems.join('; ')}`, { path: 'kind' });
  }
}

serveComputeThread(lookUp, loaded);
