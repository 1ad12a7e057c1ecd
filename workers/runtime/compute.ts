import { experimentOf } from '../experiments/registry.ts';
import { serveComputeThread } from './computeSession.ts';

serveComputeThread(async (kind) => experimentOf(kind));
