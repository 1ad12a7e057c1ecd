import type { z } from 'zod';
import { WarrenError } from '../../src/contracts/errors.ts';
import type { mfBprParameters } from '../../src/catalog/kinds/mfBpr.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { initialTable } from '../models/initialTable.ts';
import type { MfShape } from '../models/mfBpr.ts';
import { decodeBprState, encodeBprState } from '../training/bprCheckpoint.ts';
import { bprData, bprEpoch, type BprState, initBpr, noteValidation } from '../training/bprTraining.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { timed } from './ranking/leaveOneOutRanking.ts';
import { type MatrixEvaluation, matrixEvaluation } from './ranking/matrixEvaluation.ts';
import { type OptimizedModel, testFactors } from './ranking/testedFactors.ts';

type Context = ExperimentContext<z.output<typeof mfBprParameters>>;

const VALIDATION_CUTOFF = 10;

/** The state to go on from: that of the checkpoint, or a new one. */
async function startState(context: Context, shape: MfShape): Promise<BprState> {
  const { checkpoint, reporter, parameters, seed } = context;
  if (checkpoint !== null) {
    const state = decodeBprState(checkpoint.bytes, shape);
    if (state !== null) {
      reporter.log('info', `goes on from the checkpoint of epoch ${state.epoch}`);
      return state;
    }
    reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: training starts anew`);
  }
  const state = initBpr(shape, { initialDeviation: parameters.initialDeviation, seed });
  const { init } = parameters;
  if (init === undefined) return state;
  const { dimension, userCount, itemCount } = shape;
  const { users, items } = await initialEmbeddings(context, init, { dimension, sides: ['users', 'items'] });
  state.model = {
    dimension,
    users: initialTable([userCount, dimension], users, randomGenerator(seed, 'mf-bpr users')),
    items: initialTable([itemCount, dimension], items, randomGenerator(seed, 'mf-bpr items')),
  };
  return state;
}

/** Validates; true when training should stop. */
function validate(context: Context, evaluation: MatrixEvaluation, state: BprState): boolean {
  const { reporter, parameters } = context;
  const metrics = timed(reporter, 'evaluate', () => evaluation.validate(state.model));
  const ndcg = metrics[`ndcg@${VALIDATION_CUTOFF}`]!;
  reporter.metric(`valid/ndcg@${VALIDATION_CUTOFF}`, state.epoch, ndcg);
  reporter.metric(`valid/hr@${VALIDATION_CUTOFF}`, state.epoch, metrics[`hr@${VALIDATION_CUTOFF}`]!);
  return noteValidation(state, ndcg, parameters.patience);
}

function train(context: Context, evaluation: MatrixEvaluation, state: BprState): void {
  const { parameters, reporter, cancellation } = context;
  const { epochs, evaluateEvery, checkpointEvery, patience, learningRate, regularization } = parameters;
  const data = bprData(evaluation.training);
  let stopped = patience > 0 && state.waited >= patience;
  while (state.epoch < epochs && !stopped) {
    const start = performance.now();
    const pulse = (): void => cancellation.throwIfCancelled();
    const loss = timed(reporter, 'train', () => bprEpoch(state, data, { learningRate, regularization, pulse }));
    const { epoch } = state;
    reporter.metric('train/loss', epoch, loss);
    reporter.metric('time/epoch', epoch, (performance.now() - start) / 1000);
    if (!Number.isFinite(loss)) {
      const { users, items } = state.model;
      throw new WarrenError(
        'RUN_FAILED',
        `training diverged in epoch ${epoch}: the loss is ${loss}. Choose a smaller learningRate than ${learningRate}. Norms after it: users ${normOf(users)}, items ${normOf(items)}`,
        { path: 'parameters.learningRate' },
      );
    }
    if (evaluateEvery > 0 && (epoch % evaluateEvery === 0 || epoch === epochs))
      stopped = validate(context, evaluation, state);
    if (checkpointEvery > 0 && epoch % checkpointEvery === 0) reporter.checkpoint(epoch, encodeBprState(state));
    reporter.progress(epoch / epochs, `epoch ${epoch} of ${epochs}, loss ${loss.toFixed(4)}`);
  }
  if (stopped && state.best !== null) {
    reporter.log('info', `stopped after epoch ${state.epoch}: the best validation was after epoch ${state.best.epoch}`);
  }
}

function normOf(values: Float32Array): string {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)).toPrecision(4);
}

/** The embeddings that are tested: trained in batches by an optimiser where the parameters name one, else a triple at a time. */
async function trained(context: Context, evaluation: MatrixEvaluation, shape: MfShape): Promise<OptimizedModel> {
  const { optimizer } = context.parameters;
  if (optimizer !== undefined) {
    // tfjs takes its time to start: it is loaded where it is wanted
    const { optimizedMfBpr } = await import('./ranking/optimizedMfBpr.ts');
    return optimizedMfBpr(context, evaluation, { shape, optimizer });
  }
  const state = await startState(context, shape);
  train(context, evaluation, state);
  const { epoch } = state;
  return { model: state.best?.model ?? state.model, epoch, testedEpoch: state.best?.epoch ?? epoch };
}

/**
 * Matrix factorisation trained with BPR on the training part of every user: all items are ranked by dot product, for
 * validation, and at the end for the test part. A user is its embedding, so what validates is no part of the test input,
 * unlike in kinds that read the history. `train/loss`, `time/epoch` and `valid/*` stand at their epoch, `test/*` at the last.
 */
export const mfBpr: Experiment<z.output<typeof mfBprParameters>> = async (context) => {
  const { dataset, parameters } = context;
  const evaluation = matrixEvaluation(context, VALIDATION_CUTOFF);
  const shape = { userCount: dataset.userCount, itemCount: dataset.itemCount, dimension: parameters.dimension };
  await testFactors(context, evaluation, await trained(context, evaluation, shape));
};
