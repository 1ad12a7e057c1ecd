import type { OverrecParameters } from '#src/catalog/kinds/overrec.ts';
import { openProtocol } from '../evaluation/protocols/openProtocol.ts';
import { boundaryTieFraction, type NearestSequences } from '../kernels/neighbours/nearestSequences.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import {
  nearestPrefixes,
  openPrefixEvaluation,
  type PrefixEvaluation,
  prefixRankings,
  votingCounts,
} from './ranking/prefixNeighbours.ts';

type Context = ExperimentContext<OverrecParameters>;

/** λ_3 of STAN in OverRec's settings file. */
const DEFAULT_ITEM_DECAY = 3;

/**
 * OverRec (Sections III and IV) in its leave-one-out evaluation: prefixes of the training sequences are neighbours, an
 * inverted index finds the pairs with aligned equal items, each distinct pattern of such items has its kernel value
 * computed once, the k nearest prefixes vote for the items that followed them (Eq. 16) or for all that they contain (Section
 * VI-D2), and all items are ranked.
 * Metrics `test/*` (or `valid/*`) stand at step 0.
 */
export const overrec: Experiment<OverrecParameters> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const { neighbours, prediction, duplicateTargets: duplicates, itemDecay = DEFAULT_ITEM_DECAY } = parameters;
  const protocol = await openProtocol(context);
  const isTest = parameters.evaluate === 'test';
  const part = isTest ? protocol.testPart : protocol.validationPart;

  const computing = performance.now();
  const evaluation = openPrefixEvaluation(part, parameters);
  reporter.log('info', `${evaluation.rows.rowCount} neighbour prefixes, ${part.users.length} users to predict for`);
  const nearest = await searchAndNote(context, evaluation);
  reporter.timing('compute', (performance.now() - computing) / 1000);

  const evaluating = performance.now();
  const votes = { prediction, duplicates, itemDecay };
  const rankings = prefixRankings(evaluation, nearest, { neighbours, votes, candidates: parameters, cancellation });
  protocol.report(isTest ? 'test' : 'valid', rankings, 0);
  reporter.timing('evaluate', (performance.now() - evaluating) / 1000);
  reporter.progress(1, 'done');
};

/** The nearest prefixes of each user, one more than are needed: the next one shows whether a tie was cut. */
async function searchAndNote(context: Context, evaluation: PrefixEvaluation): Promise<NearestSequences> {
  const { parameters, reporter, cancellation } = context;
  const { threads } = context.compute;
  const { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH, kernel, variant } = parameters;
  const network = { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH };
  const ks = votingCounts({ neighbours: parameters.neighbours, candidates: parameters });
  const nearest = await nearestPrefixes(evaluation, {
    kernel: { network, kernel, variant },
    count: Math.max(...ks) + 1,
    threads,
    cancellation,
    progress: (done, all) => reporter.progress(done / all, `neighbours of ${done} of ${all} users`),
  });
  const { matchedPairs, distinctPatterns, computedBy } = nearest;
  const ties = Object.fromEntries(ks.map((k) => [`k${k}`, boundaryTieFraction(nearest, k)]));
  reporter.note('neighbourRows', evaluation.rows.rowCount);
  reporter.note('matchedPairs', matchedPairs);
  reporter.note('distinctPatterns', distinctPatterns);
  reporter.note('boundaryTieFraction', ties);
  reporter.note('computedBy', computedBy);
  reporter.log(
    'info',
    `${matchedPairs} pairs with an aligned match, ${distinctPatterns} distinct patterns (${computedBy})`,
  );
  for (const [k, share] of Object.entries(ties)) {
    reporter.log(
      'info',
      `${(100 * share).toFixed(1)} % of the users have a tie at the last neighbour (${k}): the lowest row decides`,
    );
  }
  return nearest;
}
