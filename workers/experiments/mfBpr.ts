import type { z } from 'zod';
import { WarrenError } from '../../src/contracts/errors.ts';
import type { mfBprParameters } from '../../src/catalog/kinds/mfBpr.ts';
import { type LeaveOneOut, trainingItems } from '../data/leaveOneOut.ts';
import { encodeNpy } from '../data/npyFile.ts';
import { embeddingRanking } from '../evaluation/embeddingRanking.ts';
import type { RankedUsers } from '../evaluation/rankedUsers.ts';
import { rankingMetrics } from '../evaluation/rankingMetrics.ts';
import type { MfModel, MfShape } from '../models/mfBpr.ts';
import { decodeBprState, encodeBprState } from '../training/bprCheckpoint.ts';
import { bprData, bprEpoch, type BprState, initBpr, noteValidation } from '../training/bprTraining.ts';
import { embeddingRanks } from '../training/embeddingRanks.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { seenItemsOf, splitForRanking, timed } from './leaveOneOutRanking.ts';
import { reportRanking } from './reportRanking.ts';

type Context = ExperimentContext<z.output<typeof mfBprParameters>>;

const VALIDATION_CUTOFF = 10;
const NPY = 'application/octet-stream';

/** The state to go on from: that of the checkpoint, or a new one. */
function startState(context: Context, shape: MfShape): BprState {
  const { checkpoint, reporter, parameters, seed } = context;
  if (checkpoint !== null) {
    const state = decodeBprState(checkpoint.bytes, shape);
    if (state !== null) {
      reporter.log('info', `goes on from the checkpoint of epoch ${state.epoch}`);
      return state;
    }
    reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: training starts anew`);
  }
  return initBpr(shape, { initialDeviation: parameters.initialDeviation, seed });
}

/** (evaluated users) Ranks of the validation items, 0 beyond the cut-off. */
function validationRanks(context: Context, split: LeaveOneOut, model: MfModel): Int32Array {
  const { evaluatedUsers, validation } = split;
  return embeddingRanks(model, {
    users: evaluatedUsers,
    targets: Uint32Array.from(evaluatedUsers, (user) => validation[user]!),
    excluded: context.parameters.excludeSeen ? (query) => trainingItems(split, evaluatedUsers[query]!) : null,
    limit: VALIDATION_CUTOFF,
    pulse: () => context.cancellation.throwIfCancelled(),
  });
}

/** Rankings for the test items. */
async function rankTestItems(context: Context, split: LeaveOneOut, model: MfModel): Promise<RankedUsers> {
  const { parameters, cancellation, threads } = context;
  const { evaluatedUsers, test } = split;
  const seenBy = seenItemsOf(split, parameters);
  const queries = {
    users: evaluatedUsers,
    targets: Uint32Array.from(evaluatedUsers, (user) => test[user]!),
    excluded: seenBy === null ? null : (query: number) => seenBy(evaluatedUsers[query]!),
    listLength: Math.max(...parameters.cutoffs),
    betweenQueries: () => cancellation.throwIfCancelled(),
  };
  return embeddingRanking(model, queries, threads);
}

/** Validates; true when training should stop. */
function validate(context: Context, split: LeaveOneOut, state: BprState): boolean {
  const { reporter, parameters } = context;
  const ranks = timed(reporter, 'evaluate', () => validationRanks(context, split, state.model));
  const metrics = rankingMetrics(ranks, [VALIDATION_CUTOFF]);
  const ndcg = metrics[`ndcg@${VALIDATION_CUTOFF}`]!;
  reporter.metric(`valid/ndcg@${VALIDATION_CUTOFF}`, state.epoch, ndcg);
  reporter.metric(`valid/hr@${VALIDATION_CUTOFF}`, state.epoch, metrics[`hr@${VALIDATION_CUTOFF}`]!);
  return noteValidation(state, ndcg, parameters.patience);
}

function train(context: Context, split: LeaveOneOut, state: BprState): void {
  const { parameters, reporter, cancellation } = context;
  const { epochs, evaluateEvery, checkpointEvery, patience, learningRate, regularization } = parameters;
  const data = bprData(split);
  let stopped = patience > 0 && state.waited >= patience;
  while (state.epoch < epochs && !stopped) {
    const start = performance.now();
    const pulse = (): void => cancellation.throwIfCancelled();
    const loss = timed(reporter, 'train', () => bprEpoch(state, data, { learningRate, regularization, pulse }));
    const { epoch } = state;
    reporter.metric('train/loss', epoch, loss);
    reporter.metric('time/epoch', epoch, (performance.now() - start) / 1000);
    if (!Number.isFinite(loss)) {
      throw new WarrenError(
        'RUN_FAILED',
        `training diverged in epoch ${epoch}: the loss is ${loss}. Choose a smaller learningRate than ${learningRate}`,
        { path: 'parameters.learningRate' },
      );
    }
    if (evaluateEvery > 0 && (epoch % evaluateEvery === 0 || epoch === epochs))
      stopped = validate(context, split, state);
    if (checkpointEvery > 0 && epoch % checkpointEvery === 0) reporter.checkpoint(epoch, encodeBprState(state));
    reporter.progress(epoch / epochs, `epoch ${epoch} of ${epochs}, loss ${loss.toFixed(4)}`);
  }
  if (stopped && state.best !== null) {
    reporter.log('info', `stopped after epoch ${state.epoch}: the best validation was after epoch ${state.best.epoch}`);
  }
}

/**
 * Matrix factorisation trained with BPR on x_1 … x_{n-2} of every user, leave-one-out: all items are ranked by dot product,
 * for validation against x_{n-1}, at the end against x_n. A user is its embedding, so x_{n-1} is no part of the test input,
 * unlike in kinds that read the history. `train/loss`, `time/epoch` and `valid/*` stand at their epoch, `test/*` at the last.
 */
export const mfBpr: Experiment<z.output<typeof mfBprParameters>> = async (context) => {
  const { dataset, parameters, reporter } = context;
  const split = splitForRanking(dataset, reporter);
  const shape = { userCount: dataset.userCount, itemCount: dataset.itemCount, dimension: parameters.dimension };
  const state = startState(context, shape);
  train(context, split, state);
  const model = state.best?.model ?? state.model;
  reporter.note('testedEpoch', state.best?.epoch ?? state.epoch);
  const evaluating = performance.now();
  const ranked = await rankTestItems(context, split, model);
  reporter.timing('evaluate', (performance.now() - evaluating) / 1000);
  const rankings = parameters.cutoffs.map((cutoff) => ({ cutoff, ranked }));
  reportRanking(split, reporter, { rankings, part: 'test', step: state.epoch });
  const save = (name: string, values: Float32Array, rows: number): void => {
    const bytes = encodeNpy(values, [rows, parameters.dimension]);
    reporter.artifact(name, bytes, NPY);
  };
  save('item-embeddings.npy', model.items, shape.itemCount);
  save('user-embeddings.npy', model.users, shape.userCount);
};
