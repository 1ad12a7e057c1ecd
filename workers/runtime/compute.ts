import { readEnvironment } from '../../src/platform/environment.ts';
import { loadKindModules } from '../../src/platform/kindModules/loadKindModules.ts';
import { experimentOf } from '../experiments/registry.ts';
import { serveComputeThread } from './computeSession.ts';

const environment = readEnvironment();

/** Modules of kinds get all parts here: this is where they compute. */
async function loadKinds(): Promise<void> {
  if (environment.kindModules.length === 0) return;
  await loadKindModules(environment, { ...(await import('../experiments/parts.ts')) });
}

// at once, while the thread waits for its task
const loaded = loadKinds();
serveComputeThread(async (kind) => experimentOf(kind), loaded);
