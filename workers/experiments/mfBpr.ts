import type { z } from 'zod';
import { WarrenError } from '../../src/contracts/errors.ts';
import type { mfBprParameters } from '../../src/catalog/kinds/mfBpr.ts';
import { type LeaveOneOut, testHistory, trainingItems } from '../data/leaveOneOut.ts';
import { encodeNpy } from '../data/npyFile.ts';
import { rankingMetrics } from '../evaluation/rankingMetrics.ts';
import type { MfModel, MfShape } from '../models/mfBpr.ts';
import { decodeBprState, encodeBprState } from '../training/bprCheckpoint.ts';
import { bprData, bprEpoch, type BprState, initBpr, noteValidation } from '../training/bprTraining.ts';
import { embeddingRanks } from '../training/embeddingRanks.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { reportTestMetrics, splitForRanking, timed } from './leaveOneOutRanking.ts';

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

/** (evaluated users) Ranks of the validation or the test items, 0 beyond `limit`. */
function ranksOf(
  context: Context,
  split: LeaveOneOut,
  of: { model: MfModel; part: 'validation' | 'test'; limit: number },
): Int32Array {
  const { evaluatedUsers } = split;
  const targets = split[of.part];
  const seen = of.part === 'test' ? testHistory : trainingItems;
  return embeddingRanks(of.model, {
    users: evaluatedUsers,
    targets: Uint32Array.from(evaluatedUsers, (user) => targets[user]!),
    excluded: context.parameters.excludeSeen ? (query) => seen(split, evaluatedUsers[query]!) : null,
    limit: of.limit,
    pulse: () => context.cancellation.throwIfCancelled(),
  });
}

/** Validates; true when training should stop. */
function validate(context: Context, split: LeaveOneOut, state: BprState): boolean {
  const { reporter, parameters } = context;
  const ranks = timed(reporter, 'evaluate', () =>
    ranksOf(context, split, { model: state.model, part: 'validation', limit: VALIDATION_CUTOFF }),
  );
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
  const ranks = timed(reporter, 'evaluate', () =>
    ranksOf(context, split, { model, part: 'test', limit: Math.max(...parameters.cutoffs) }),
  );
  reportTestMetrics(reporter, ranks, { cutoffs: parameters.cutoffs, step: state.epoch });
  const save = (name: string, values: Float32Array, rows: number): void => {
    const bytes = encodeNpy(values, [rows, parameters.dimension]);
    reporter.artifact(name, bytes, NPY);
  };
  save('item-embeddings.npy', model.items, shape.itemCount);
  save('user-embeddings.npy', model.users, shape.userCount);
};
