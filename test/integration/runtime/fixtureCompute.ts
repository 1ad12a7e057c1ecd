import { WarrenError } from '#src/base/contracts/errors.ts';
import { serveComputeThread } from '#workers/runtime/compute/computeSession.ts';
import { fixtureExperiments } from './fixtureExperiments.ts';

serveComputeThread(async (kind) => {
  const experiment = fixtureExperiments[kind];
  if (experiment === undefined) throw new WarrenError('BAD_INPUT', `no experiment ${kind}`);
  return experiment;
});
