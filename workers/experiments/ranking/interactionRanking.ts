import { encodeNpy } from '../../data/npyFile.ts';
import type { HeldOut } from '../../evaluation/heldOut.ts';
import { HeldOutLists } from '../../evaluation/heldOutLists.ts';
import { validationMetrics } from '../../evaluation/rankHeldOut.ts';
import type { InteractionNetwork } from '../../models/interactionNetwork.ts';
import { interactionBatches, lastItems } from '../../training/interactionBatches.ts';
import { disposeOptimizer, initOptimizer } from '../../training/optimizers/optimizerState.ts';
import { copyIn, initTraining } from '../../training/trainingState.ts';
import { trainNetwork, type Validation } from '../../training/trainNetwork.ts';
import type { ExperimentContext } from '../experiment.ts';
import { reportHeldOut } from './reportHeldOut.ts';
import { splitByTime } from './splitByTime.ts';
import { optimizerSettings, restore, trainedParameters, type TrainedRankingParameters } from './trainedRanking.ts';

/** What networks of interactions have beside what all trained kinds share. */
export interface InteractionParameters extends TrainedRankingParameters {
  negatives: number;
}

type Context = ExperimentContext<InteractionParameters>;

/** By whose NDCG epochs are compared. */
const VALIDATION_CUTOFF = 10;

/**
 * Trains a network on the training part of every user, split in order of time, validates on the part after it, and at the end
 * ranks for the last part, known all before it (LEPORID, Section 5.1). `test/*` stands at the last epoch. Leaves the tables of
 * embeddings tested. `open` makes the network once its backend is open.
 */
export async function trainOnInteractions(context: Context, open: () => InteractionNetwork): Promise<void> {
  const { parameters, reporter, seed, cancellation } = context;
  const { batchSize, negatives, epochs, evaluateEvery, patience, checkpointEvery, select, cutoffs } = parameters;
  const { split, validation, test } = splitByTime(context, parameters);
  await context.openTensorBackend();
  const network = open();
  const { recent, targets } = network;
  const trained = trainedParameters(network.parameters, parameters.init);
  const state = initTraining(trained, initOptimizer(trained, optimizerSettings(parameters)), seed);
  restore(context, state);
  reporter.note(
    'trainedNumbers',
    [...trained.values()].reduce((sum, { size }) => sum + size, 0),
  );
  await trainNetwork(state, {
    network: { parameters: trained, loss: (batch, draw) => network.loss(batch, draw) },
    batches: interactionBatches(split, { recent, targets, batchSize, negatives }),
    seed,
    epochs,
    evaluateEvery,
    validate: () => validate(context, network, validation),
    patience,
    keepsBest: select === 'best',
    checkpointEvery,
    observer: reporter,
    throwIfCancelled: () => cancellation.throwIfCancelled(),
  });
  const best = select === 'best' ? state.best : null;
  if (best?.parameters != null) copyIn(trained, best.parameters);
  reporter.note('testedEpoch', best?.epoch ?? state.epoch);
  const start = performance.now();
  const lists = await rankPart(context, network, { part: test, listLength: Math.max(...cutoffs) });
  reportHeldOut(reporter, { split, part: test, lists, cutoffs, step: state.epoch });
  reporter.timing('evaluate', (performance.now() - start) / 1000);
  await leaveEmbeddings(context, network);
  disposeOptimizer(state.optimizer);
  for (const parameter of network.parameters.values()) parameter.dispose();
}

async function validate(context: Context, network: InteractionNetwork, part: HeldOut): Promise<Validation> {
  const cutoffs = [...new Set([...context.parameters.cutoffs, VALIDATION_CUTOFF])].sort((a, b) => a - b);
  const lists = await rankPart(context, network, { part, listLength: Math.max(...cutoffs) });
  const metrics = validationMetrics(lists, cutoffs);
  return { metrics, score: metrics[`ndcg@${VALIDATION_CUTOFF}`]! };
}

/** The best items for every user of a part, after all of its history; nothing as large as users × items is ever made. */
async function rankPart(
  { dataset, cancellation }: Context,
  network: InteractionNetwork,
  { part, listLength }: { part: HeldOut; listLength: number },
): Promise<HeldOutLists> {
  const { itemCount } = dataset;
  const { recent, momentsAtOnce } = network;
  const lists = new HeldOutLists(part, { listLength, itemCount, floor: Number.NEGATIVE_INFINITY });
  for (let from = 0; from < part.users.length; from += momentsAtOnce) {
    cancellation.throwIfCancelled();
    const users = Int32Array.from(part.users.subarray(from, from + momentsAtOnce));
    const known = new Int32Array(users.length * recent);
    for (const row of users.keys()) {
      const history = part.history(from + row);
      lastItems(history, history.length, known.subarray(row * recent, (row + 1) * recent));
    }
    const found = network.scores({ users, recent: known });
    const scores = await found.data<'float32'>();
    found.dispose();
    for (const row of users.keys()) lists.take(from + row, scores.subarray(row * itemCount, (row + 1) * itemCount));
  }
  return lists;
}

/** `users.npy` and `items.npy`, or with the name of their part in front: all tables of embeddings. */
async function leaveEmbeddings({ reporter }: Context, { parameters }: InteractionNetwork): Promise<void> {
  for (const [name, table] of parameters) {
    const side = name.split('/').at(-1);
    if (side !== 'users' && side !== 'items') continue;
    const values = Float32Array.from(await table.data<'float32'>());
    const [rows, columns] = table.shape as [number, number];
    const file = `${name
      .split('/')
      .slice(0, -1)
      .map((part) => `${part}-`)
      .join('')}${side.slice(0, -1)}-embeddings.npy`;
    reporter.artifact(file, encodeNpy(values, [rows, columns]), 'application/octet-stream');
  }
}
