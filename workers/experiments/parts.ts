/**
 * `warren/kinds`: all that modules of WARREN_KINDS build on, and the only thing of Warren that they import. What stands here
 * stays: a name is removed, or changes its meaning, with a new major version alone. `docs/your-own-model.md` shows its use.
 */
/// <reference path="../wasm/webAssembly.d.ts" />
import type { z } from 'zod';
import { defineKind as define, type KindAddition, type KindInput } from '#src/catalog/modules/addition.ts';
import type { Experiment } from './experiment.ts';

// definitions: names, parameters, presets, datasets
export * from '#src/catalog/modules/definitionParts.ts';
export type { DatasetInput, KindAddition } from '#src/catalog/modules/addition.ts';
export type { KindDefinition, Preset } from '#src/catalog/kind.ts';

/**
 * A kind of one's own; export it from a module of WARREN_KINDS. `run` gets the parameters as the schema gives them. Left
 * out: version 1, sequences as data, `test/ndcg@10` as primary metric, no presets, no description.
 */
export const defineKind: <Schema extends z.ZodObject>(
  kind: KindInput<Schema, Experiment<z.output<Schema>>>,
) => KindAddition = define;

// what a run gives its experiment
export type { Cancellation, Experiment, ExperimentContext, ExperimentData, Reporter } from './experiment.ts';
export type { Compute } from '../training/trainingContext.ts';
export type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';
export { type TrainingPart, trainingItems } from '../data/split/trainingPart.ts';
export { encodeNpy } from '../data/read/npyFile.ts';

// tensors: tfjs-core, and operations that are fast and alike on every backend
export { tf } from '../tensor/tf.ts';
export { causalAttention } from '../tensor/operations/causalAttention.ts';
export { dropout } from '../tensor/operations/dropout.ts';
export { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
export { gru } from '../tensor/operations/gru.ts';
export { layerNorm } from '../tensor/operations/layerNorm.ts';
export { linear } from '../tensor/operations/linear.ts';
export { lstm } from '../tensor/operations/lstm.ts';
export { sparseDenseProduct } from '../tensor/operations/sparseDenseProduct.ts';
export { sparseTensor } from '../tensor/sparseTensor.ts';
export {
  lastRows,
  placesFromRight,
  positions,
  type SequenceLayout,
  sequenceLayout,
  sequenceLength,
} from '../tensor/sequenceLayout.ts';

// start values: seeded, so that a run can be repeated
export { type RandomGenerator, randomGenerator } from '../math/random/randomGenerator.ts';
export {
  type GeneratorOf,
  initialConstant,
  initialMatrix,
  initialNormal,
  initialUniform,
} from '../models/initialValues.ts';

// networks, batches and losses
export {
  dropoutAt,
  type RankingNetwork,
  rowsOf,
  type SequenceBatch,
  type SequenceInput,
  sequenceLoss,
  type SequenceNetwork,
  type StepDraw,
} from '../models/sequenceNetwork.ts';
export { fullSoftmaxCrossEntropy } from '../tensor/operations/fullSoftmaxCrossEntropy.ts';
export { binaryCrossEntropy } from '../tensor/operations/binaryCrossEntropy.ts';
export { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
export { interactionBatches } from '../training/batches/interactionBatches.ts';
export { maskedBatches } from '../training/batches/maskedBatches.ts';
export { sequenceBatches } from '../training/batches/sequenceBatches.ts';
export { tripleBatches } from '../training/batches/tripleBatches.ts';

// training, from the simplest to the freest
export { type NextItemRecipe, type NextItemStart, trainNextItem } from '../training/trainNextItem.ts';
export { nextItemRecommender, sequenceRecommender } from '../training/sequenceRecommender.ts';
export { type NetworkContext, type OpenNetwork, trainNetworkRecommender } from '../training/networkRecommender.ts';

// evaluation
export { fitAndRank } from './ranking/fitAndRank.ts';
export { openProtocol } from '../evaluation/protocols/openProtocol.ts';
export type { Protocol } from '../evaluation/protocols/protocol.ts';
export { type Scorer, userScorer } from '../evaluation/ranking/scorer.ts';
export { hitMetrics } from '../evaluation/ranking/hitMetrics.ts';
export { rankingMetrics } from '../evaluation/ranking/rankingMetrics.ts';
