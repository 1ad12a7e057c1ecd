import type { OverrecParameters } from '../../src/catalog/kinds/overrec.ts';
import { WarrenError } from '../../src/contracts/errors.ts';
import { type LeaveOneOut, trainingItems } from '../data/leaveOneOut.ts';
import { emptyRankedUsers, type RankedUsers, setPlace } from '../evaluation/rankedUsers.ts';
import { sparseList, sparseTargetPlace } from '../evaluation/sparseRanking.ts';
import { type NeighbourRows, neighbourRows, type PrefixRange, prefixPlaces } from '../kernels/neighbourRows.ts';
import { nearestRowSearch } from '../kernels/nearestRowSearch.ts';
import { boundaryTieFraction, type NearestRows, type Queries } from '../kernels/nearestRows.ts';
import { patternKernel } from '../kernels/patternKernel.ts';
import { NeighbourVotes } from '../kernels/neighbourVotes.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { splitForRanking } from './leaveOneOutRanking.ts';
import { reportRanking } from './reportRanking.ts';

type Context = ExperimentContext<OverrecParameters>;

/**
 * OverRec (Sections III and IV) in its leave-one-out evaluation: prefixes of the training sequences are neighbours, an
 * inverted index finds the pairs with aligned equal items, each distinct pattern of such items has its kernel value
 * computed once, the k nearest prefixes vote for the items that followed them (Eq. 16) or for all that they contain (Section
 * VI-D2), and all items are ranked.
 * Metrics `test/*` (or `valid/*`) stand at step 0.
 */
export const overrec: Experiment<OverrecParameters> = async (context) => {
  const { parameters, dataset, reporter } = context;
  const split = splitForRanking(dataset, reporter);
  const users = split.evaluatedUsers;

  const computing = performance.now();
  const rows = neighbourRows(dataset, PREFIXES[parameters.neighbourSet], parameters.maximumLength);
  if (rows.rowCount === 0) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": no user has a training item after the first, so there are no neighbours`,
      {
        path: 'dataset',
      },
    );
  }
  reporter.log('info', `${rows.rowCount} neighbour prefixes, ${users.length} users to predict for`);
  const nearest = await nearestPrefixes(context, rows, queriesOf(context, users));
  reporter.timing('compute', (performance.now() - computing) / 1000);

  const evaluating = performance.now();
  const ranked = new Map<number, RankedUsers>();
  const rankings = parameters.cutoffs.map((cutoff) => {
    const k = parameters.neighbours ?? cutoff;
    const known = ranked.get(k) ?? rankTargets(context, split, { rows, nearest, k });
    ranked.set(k, known);
    return { cutoff, ranked: known };
  });
  reportRanking(split, reporter, { rankings, part: parameters.evaluate === 'test' ? 'test' : 'valid', step: 0 });
  reporter.timing('evaluate', (performance.now() - evaluating) / 1000);
  reporter.progress(1, 'done');
};

/** Prefixes x_1 .. x_q with target x_(q+1) that are neighbours, of a user with n items; x_(n-1) is the validation item. */
const PREFIXES: Readonly<Record<OverrecParameters['neighbourSet'], PrefixRange>> = {
  'training-prefixes': (n) => ({ first: 1, last: n - 3 }),
  'training-and-validation-prefixes': (n) => ({ first: 1, last: n - 2 }),
  'last-training-prefix': (n) => ({ first: Math.max(1, n - 3), last: n - 3 }),
};

/** λ_3 of STAN in OverRec's settings file. */
const DEFAULT_ITEM_DECAY = 3;

/** Where the target of a user lies, and where the input before it ends. */
function placesOf({ parameters, dataset }: Context, user: number): { start: number; inputEnd: number; target: number } {
  const end = dataset.offsets[user + 1]!;
  const target = parameters.evaluate === 'test' ? end - 1 : end - 2;
  const withoutValidation = parameters.evaluate === 'test' && parameters.testInput === 'without-validation-item';
  return { start: dataset.offsets[user]!, inputEnd: withoutValidation ? target - 1 : target, target };
}

function queriesOf(context: Context, users: Uint32Array): Queries {
  const starts = new Uint32Array(users.length);
  const lengths = new Uint16Array(users.length);
  for (const [query, user] of users.entries()) {
    const { start, inputEnd } = placesOf(context, user);
    lengths[query] = Math.min(inputEnd - start, context.parameters.maximumLength);
    starts[query] = inputEnd - lengths[query]!;
  }
  return { items: context.dataset.items, starts, lengths };
}

/** The nearest prefixes of each query, one more than are needed: the next one shows whether a tie was cut. */
async function nearestPrefixes(context: Context, rows: NeighbourRows, queries: Queries): Promise<NearestRows> {
  const { parameters, reporter, cancellation, threads } = context;
  const { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH, kernel, variant, maximumLength } = parameters;
  const network = { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH };
  const ks = [...new Set(parameters.neighbours === null ? parameters.cutoffs : [parameters.neighbours])];
  let next = 0;
  const nearest = await nearestRowSearch(rows, queries, {
    kernel: patternKernel({ network, kernel, variant, maximumLength }),
    count: Math.max(...ks) + 1,
    threads,
    betweenQueries(done) {
      cancellation.throwIfCancelled();
      if (done < next) return;
      next = done + queries.starts.length / 50;
      reporter.progress(done / queries.starts.length, `neighbours of ${done} of ${queries.starts.length} users`);
    },
  });
  const { matchedPairs, distinctPatterns, computedBy } = nearest;
  const ties = Object.fromEntries(ks.map((k) => [`k${k}`, boundaryTieFraction(nearest, k)]));
  reporter.note('neighbourRows', rows.rowCount);
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

/** Rankings of all items for each user, from the votes of its k nearest prefixes. */
function rankTargets(
  context: Context,
  split: LeaveOneOut,
  of: { rows: NeighbourRows; nearest: NearestRows; k: number },
): RankedUsers {
  const { parameters, dataset, cancellation } = context;
  const { itemCount } = dataset;
  const { rows, values, count } = of.nearest;
  const { prediction, duplicateTargets: duplicates, itemDecay = DEFAULT_ITEM_DECAY } = parameters;
  const places = prefixPlaces(dataset, PREFIXES[parameters.neighbourSet], of.rows);
  const votes = new NeighbourVotes(itemCount);
  const longest = Math.max(...parameters.cutoffs);
  const listLength = prediction === 'weighted-y' ? Math.min(of.k, longest) : longest;
  const ranked = emptyRankedUsers(split.evaluatedUsers.length, listLength);
  for (const [query, user] of split.evaluatedUsers.entries()) {
    if (query % 256 === 0) cancellation.throwIfCancelled();
    const { start, inputEnd, target: targetPlace } = placesOf(context, user);
    const target = dataset.items[targetPlace]!;
    const neighbours = {
      rows: rows.subarray(query * count, query * count + of.k),
      values: values.subarray(query * count, query * count + of.k),
    };
    const history = dataset.items.subarray(Math.max(start, inputEnd - parameters.maximumLength), inputEnd);
    const scores = votes.score(places, { history, neighbours }, { prediction, duplicates, itemDecay });
    const excluded = parameters.excludeSeen ? seenItems(context, split, user) : [];
    setPlace(ranked, query, sparseTargetPlace(scores, target, { excluded, itemCount }));
    const list = ranked.lists.subarray(query * listLength, (query + 1) * listLength);
    sparseList(scores, target, { excluded, list });
  }
  return ranked;
}

/** What counts as seen: the training part, or all that is known of a user, also beyond what the kernel sees. A view. */
function seenItems(context: Context, split: LeaveOneOut, user: number): Uint32Array {
  if (context.parameters.seenItems === 'training') return trainingItems(split, user);
  const { start, inputEnd } = placesOf(context, user);
  return context.dataset.items.subarray(start, inputEnd);
}
