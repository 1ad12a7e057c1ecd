import type { TripleBatch } from '../../models/factorNetwork.ts';
import type { MfModel } from '../../models/mfBpr.ts';
import type { tf } from '../../tensor/tf.ts';
import type { OptimizerSettings } from '../../training/optimizers/optimizerSettings.ts';
import { disposeOptimizer, initOptimizer } from '../../training/optimizers/optimizerState.ts';
import { restoreTraining } from '../../training/trainingCheckpoint.ts';
import { copyIn, initTraining, type TrainingState } from '../../training/trainingState.ts';
import { trainNetwork } from '../../training/trainNetwork.ts';
import { tripleBatches, type TripleBatchOptions } from '../../training/tripleBatches.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { MatrixEvaluation } from './matrixEvaluation.ts';
import type { OpenSmoothing } from '../embeddings/openSmoothing.ts';
import type { OptimizedModel } from './testedFactors.ts';

/** A network whose scores are products of rows of users and items. */
export interface FactorTraining {
  parameters: ReadonlyMap<string, tf.Variable>;
  /** Mean loss over the triples of the batch: a scalar, differentiable in the parameters. */
  loss(batch: TripleBatch): tf.Scalar;
  /** The rows, copied out. */
  model(): Promise<MfModel>;
  settings: OptimizerSettings;
  smoothing: OpenSmoothing | null;
  batches: TripleBatchOptions;
  /** Whether the parameters of the best validation are what comes out. */
  keepsBest: boolean;
}

interface EpochParameters {
  epochs: number;
  evaluateEvery: number;
  patience: number;
  checkpointEvery: number;
}

type Context = ExperimentContext<EpochParameters>;

const VALIDATION_CUTOFF = 10;

/** Trains in batches of triples from the run's checkpoint or the start; parameters and smoothing are disposed in the end, however it is. */
export async function trainFactors(
  context: Context,
  evaluation: MatrixEvaluation,
  { parameters: trained, loss, model: copyOut, settings, smoothing, batches, keepsBest }: FactorTraining,
): Promise<OptimizedModel> {
  const { parameters, reporter, seed, cancellation } = context;
  const state = initTraining(trained, initOptimizer(trained, settings, smoothing?.own), seed);
  try {
    restore(context, state);
    const { epochs, evaluateEvery, patience, checkpointEvery } = parameters;
    await trainNetwork(state, {
      network: { parameters: trained, loss },
      batches: tripleBatches(evaluation.training, batches),
      seed,
      epochs,
      evaluateEvery,
      validate: async () => {
        const metrics = evaluation.validate(await copyOut());
        return { metrics, score: metrics[`ndcg@${VALIDATION_CUTOFF}`]! };
      },
      patience,
      keepsBest,
      checkpointEvery,
      observer: reporter,
      monitor: smoothing?.monitor,
      throwIfCancelled: () => cancellation.throwIfCancelled(),
    });
    const best = keepsBest ? state.best : null;
    if (best?.parameters != null) copyIn(trained, best.parameters);
    return { model: await copyOut(), epoch: state.epoch, testedEpoch: best?.epoch ?? state.epoch };
  } finally {
    smoothing?.dispose();
    disposeOptimizer(state.optimizer);
    for (const parameter of trained.values()) parameter.dispose();
  }
}

function restore({ checkpoint, reporter }: Context, state: TrainingState): void {
  if (checkpoint === null) return;
  if (restoreTraining(state, checkpoint.bytes)) {
    reporter.log('info', `goes on from the checkpoint of epoch ${state.epoch}`);
  } else {
    reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: training starts anew`);
  }
}
