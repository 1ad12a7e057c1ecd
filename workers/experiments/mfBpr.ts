import type { MfBprParameters } from '#src/catalog/kinds/mfBpr.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { openProtocol } from '../evaluation/protocols/openProtocol.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { initialTable } from '../models/initialTable.ts';
import { bprRecommender } from '../training/bprRecommender.ts';
import { type BprState, initBpr } from '../training/bprTraining.ts';
import { initialEmbeddings } from '../training/start/initialEmbeddings.ts';
import { trainRecommender } from '../training/trainRecommender.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';

/** The state before the first epoch. */
async function startState(context: ExperimentContext<MfBprParameters>, training: TrainingPart): Promise<BprState> {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { init, dimension, initialDeviation } = parameters;
  const { userCount, itemCount } = dataset;
  const state = initBpr({ userCount, itemCount, dimension }, { initialDeviation, seed });
  if (init === undefined) return state;
  const start = await initialEmbeddings(context, init, { training, dimension, sides: ['users', 'items'] });
  const table = (side: 'users' | 'items', rows: number): Float32Array =>
    initialTable([rows, dimension], start[side], randomGenerator(seed, `mf-bpr ${side}`));
  state.model = { dimension, users: table('users', userCount), items: table('items', itemCount) };
  return state;
}

/**
 * Matrix factorization trained with BPR on the training part of every user: all items are ranked by dot product, for
 * validation, and at the end for the test part. A user is its embedding, so what validates is no part of the test input,
 * unlike in kinds that read the history. `trainRecommender` says what is reported where.
 */
export const mfBpr: Experiment<MfBprParameters> = async (context) => {
  const { optimizer } = context.parameters;
  if (optimizer !== undefined) {
    // tfjs takes its time to start: it is loaded where it is wanted
    const { optimizedMfBpr } = await import('./optimizedMfBpr.ts');
    return optimizedMfBpr(context, optimizer);
  }
  const protocol = await openProtocol(context);
  const state = await startState(context, protocol.split);
  const recommender = bprRecommender(context, state, protocol.split);
  await trainRecommender(context, protocol, { recommender, checkpointsEnd: false });
};
