import { z } from 'zod';
import {
  OPTIMIZER_NAMES,
  OPTIMIZERS,
  type OptimizerMethod,
  ownSettings,
  refusedSettings,
} from '../optimizers/optimizers.ts';
import { checkpointEvery } from './checkpointEvery.ts';
import { initParameters } from './initParameters.ts';
import { rankingParameters } from './rankingParameters.ts';
import { smoothingParametersOf } from './smoothingParameters.ts';

const METHOD_WORDS = OPTIMIZER_NAMES.map((method) => `${method}: ${OPTIMIZERS[method].words}`).join('; ');

// What has the same default in all kinds is made once: every program makes the schemas of all kinds when it starts.
const method = z.enum(OPTIMIZER_NAMES).default('adamw').describe(`${METHOD_WORDS}. PyTorch’s formulas. Default adamw.`);
const learningRate = z
  .number()
  .positive()
  .max(100)
  .default(0.001)
  .describe('Step size. Default 0.001. More learns faster and less steadily.');
// No default: configurations that do not name what came later keep their hash.
const maximumGradientNorm = z
  .number()
  .positive()
  .max(1e9)
  .optional()
  .meta({ default: null })
  .describe(
    'Longest norm of the gradients of a step, all parameters together: longer ones are scaled down to it. Left out, none are. Less keeps deep, wide and recurrent networks from diverging, and slows them.',
  );
const requires = z
  .enum(['any', 'gpu'])
  .default('any')
  .describe(
    'What it computes on: any worker, or only one with a graphics processor, for which the run then waits. Default any. It changes speed, not results.',
  );
const evaluateEvery = z
  .int()
  .min(0)
  .max(100_000)
  .default(5)
  .describe(
    'Epochs between validations (valid/ndcg@10 and others); 0 for none. Default 5. More saves time and gives a coarser curve.',
  );
const select = z
  .enum(['best', 'last'])
  .default('best')
  .describe(
    'Which parameters are tested: those of the best valid/ndcg@10, or those of the last epoch. Default best, which needs validations.',
  );
const patience = z
  .int()
  .min(0)
  .max(10_000)
  .default(0)
  .describe(
    'Stop after this many validations without a better valid/ndcg@10; 0 trains all epochs. Default 0. More waits longer.',
  );

/** Defaults in which the kinds differ. */
export interface TrainedDefaults {
  epochs: number;
  batchSize: number;
  weightDecay: number;
  beta2: number;
  /** Which embeddings smoothing is over; items where nothing is said. */
  smooths?: 'items' | 'users-and-items';
}

type OptimizerDefaults = Pick<TrainedDefaults, 'weightDecay' | 'beta2' | 'smooths'>;

/** The optimizer, with this kind's defaults. */
export function optimizerParameters(defaults: OptimizerDefaults) {
  const smoothing = smoothingParametersOf(defaults.smooths ?? 'items')
    .optional()
    .meta({ default: null });
  return z.strictObject({ ...optimizerShape(defaults), smoothing }).superRefine(checkOptimizer);
}

const settingsByBeta2 = new Map<number, ReturnType<typeof ownSettings>>();

/** `ownSettings`, made once for kinds with the same defaults. */
function ownSettingsFor(beta2: number): ReturnType<typeof ownSettings> {
  const made = settingsByBeta2.get(beta2) ?? ownSettings({ beta2 });
  settingsByBeta2.set(beta2, made);
  return made;
}

function optimizerShape({ weightDecay, beta2 }: OptimizerDefaults) {
  return {
    method,
    learningRate,
    weightDecay: z
      .number()
      .min(0)
      .max(100)
      .default(weightDecay)
      .describe(
        `Pull of every parameter towards 0; with adamw each step shrinks by learningRate times it. Default ${weightDecay}. More keeps parameters smaller.`,
      ),
    ...ownSettingsFor(beta2),
    maximumGradientNorm,
  };
}

/** Refuses settings that the method does not have. */
function checkOptimizer(optimizer: { method: OptimizerMethod }, context: z.RefinementCtx): void {
  for (const { setting, message } of refusedSettings(optimizer.method, { ...optimizer })) {
    context.addIssue({ code: 'custom', path: [setting], message });
  }
}

export type OptimizerParameters = z.output<ReturnType<typeof optimizerParameters>>;

/** Parameters that every kind shares which trains a network by gradients, with this kind's defaults. */
export function trainedParameters(defaults: TrainedDefaults) {
  return {
    epochs: z
      .int()
      .min(1)
      .max(100_000)
      .default(defaults.epochs)
      .describe(`Passes over the training data. Default ${defaults.epochs}. More fits closer, up to overfitting.`),
    batchSize: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(defaults.batchSize)
      .describe(
        `Samples of a step. Default ${defaults.batchSize}. More makes fewer, steadier steps and takes more memory; it can want a larger learningRate.`,
      ),
    requires,
    optimizer: optimizerParameters(defaults).prefault({}).describe('How parameters follow their gradients.'),
    init: initParameters,
    evaluateEvery,
    select,
    patience,
    checkpointEvery,
    ...rankingParameters,
  };
}

/** Refuses heads of attention that do not divide the embeddings evenly. */
export function checkHeads(
  { dimension, heads }: { dimension: number; heads: number },
  refuse: (path: string, message: string) => void,
): void {
  if (dimension % heads !== 0) refuse('heads', `expected a divisor of dimension, which is ${dimension}`);
}

/** Refuses combinations of the shared parameters that contradict each other. */
export function checkTrained(
  parameters: {
    evaluateEvery: number;
    select: string;
    patience: number;
    init: { method: string; frozen?: boolean | undefined };
    optimizer: { smoothing?: object | undefined };
  },
  refuse: (path: string, message: string) => void,
): void {
  if (parameters.init.frozen === true && parameters.optimizer.smoothing !== undefined) {
    refuse('optimizer.smoothing', 'with init.frozen the embeddings do not change, so there is nothing to smooth');
  }
  if (parameters.evaluateEvery > 0) return;
  if (parameters.select === 'best')
    refuse('select', 'with evaluateEvery 0 nothing is validated, so there is no best: last is expected');
  if (parameters.patience > 0) refuse('patience', 'evaluateEvery 0 validates never: 0 is expected');
}

/** `checkTrained` for `superRefine`. */
export function refuseContradictions(parameters: Parameters<typeof checkTrained>[0], context: z.RefinementCtx): void {
  checkTrained(parameters, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
}

/** Parameters that the networks share which predict the next item of a sequence. */
export const sequenceParameters = {
  dimension: z
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .describe('Length of the item embeddings. Default 64. More can fit more and takes more time and memory.'),
  maximumLength: z
    .int()
    .min(1)
    .max(2000)
    .default(50)
    .describe(
      'Sequences are cut to their last items, this many. Default 50. More remembers longer, in more time and memory.',
    ),
  negatives: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe(
      'Items drawn against each that came, uniformly from those that the user does not train on; the losses bce and bpr take their mean. Default 1. Not used by softmax.',
    ),
};

/** The loss of a network that predicts the next item. */
export function lossParameter(initial: 'bce' | 'bpr' | 'softmax') {
  return z
    .enum(['bce', 'bpr', 'softmax'])
    .default(initial)
    .describe(
      `bce: binary cross-entropy against sampled items; bpr: Bayesian personalised ranking against them; softmax: cross-entropy over all items, which takes longer. Default ${initial}.`,
    );
}

/** The probability of dropout, of what it says. */
export function dropoutParameter(initial: number, of: string) {
  return z
    .number()
    .min(0)
    .lt(1)
    .default(initial)
    .describe(
      `Share of ${of} that is dropped while training. Default ${initial}. More overfits less and learns slower.`,
    );
}
