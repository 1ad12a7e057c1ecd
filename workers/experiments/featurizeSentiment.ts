import type { FeaturizeSentimentParameters } from '#src/catalog/kinds/featurizeSentiment.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { Experiment } from './experiment.ts';
import { type ItemRepresentation, representationCount } from './featurizing/featurizedRows.ts';
import { reportHiddenLayer } from './featurizing/sentiment/hiddenLayerStability.ts';
import { noteFeatures } from './featurizing/noteFeatures.ts';
import { pretrainWords } from './featurizing/sentiment/pretrainWords.ts';
import { scoreRows } from './featurizing/rowScores.ts';
import {
  decodeSentiment,
  encodeSentiment,
  type SentimentProgress,
} from './featurizing/sentiment/sentimentCheckpoint.ts';
import { reportSentimentTable } from './featurizing/sentiment/sentimentTable.ts';
import { type SentimentContext, type SentimentTask, sentimentTask } from './featurizing/sentiment/sentimentTask.ts';
import { bestSentimentClassifier, type SentimentResult } from './featurizing/sentiment/sentimentTraining.ts';
import { MetricRecord } from './featurizing/metricRecord.ts';

interface Study {
  context: SentimentContext;
  task: SentimentTask;
  record: MetricRecord;
  done: Omit<SentimentProgress, 'metrics'>;
}

/** Part of the progress that pretraining is. */
const PRETRAINING_SHARE = 0.15;

const METRICS = ['accuracy', 'valid-accuracy', 'weight-decay', 'epochs'] as const;

/**
 * Featurizing, Table A.1 and Figure A.1: sentiment of reviews from h, avg(h), φ_d(h) and φ_2d(h) of word vectors, and from
 * vectors trained with the classifier, beside the printed numbers. Scores are shares as metrics, percent in the table.
 * Checkpoints hold the pretrainings and what every finished classifier left.
 */
export const featurizeSentiment: Experiment<FeaturizeSentimentParameters> = async (context) => {
  const { parameters, reporter } = context;
  const { inputs } = context.data;
  if (inputs.size > 0) {
    throw badInput(`${inputs.size} inputs, but featurize-sentiment pretrains its own word vectors`, 'inputs');
  }
  const task = await sentimentTask(context);
  const record = new MetricRecord(reporter);
  const study: Study = { context, task, record, done: resumed(context, record) };
  await pretrain(study);
  const pretrainings = study.done.pretrainings.map(({ vectors }) => vectors);
  noteFeatures(context, pretrainings[0]!);
  reporter.artifact('words.json', Buffer.from(`${JSON.stringify(task.vocabulary.words)}\n`), 'application/json');
  await context.compute.openTensorBackend();
  const started = performance.now();
  await scoreRows({
    pretrainings,
    parameters,
    record,
    metrics: METRICS,
    score: async (representation, { row, number, done }) =>
      scoresOf(await classify(study, { representation, number, words: `${row} of pretraining ${number + 1}`, done })),
    onScore: () => save(study),
  });
  if (parameters.joint) await trainJointly(study);
  reporter.timing('downstream', (performance.now() - started) / 1000);
  reportSentimentTable(context, record);
  const { joint } = study.done;
  if (parameters.joint) await reportHiddenLayer(context, { joint, testIds: task.testIds, record });
  reporter.progress(1, 'done');
};

/** What the run's checkpoint holds; its metrics are reported again. */
function resumed({ checkpoint, reporter }: SentimentContext, record: MetricRecord): Study['done'] {
  const none = { pretrainings: [], joint: [] };
  if (checkpoint === null) return none;
  const found = decodeSentiment(checkpoint.bytes);
  if (found !== null && record.restore(found.metrics)) return found;
  reporter.log('warn', 'the checkpoint cannot be used: all is computed anew');
  return none;
}

function save({ context, record, done }: Study): void {
  const { pretrainings, joint } = done;
  context.reporter.checkpoint(0, encodeSentiment({ metrics: record.saved(), pretrainings, joint }));
}

async function pretrain(study: Study): Promise<void> {
  const { context, task, record, done } = study;
  const { reporter, parameters } = context;
  const { pretrainings: all, word2vec } = parameters;
  for (let number = done.pretrainings.length; number < all; number++) {
    const started = performance.now();
    const onEpoch = (epoch: number, loss: number): void =>
      reporter.progress(
        (PRETRAINING_SHARE * (number + epoch / word2vec.epochs)) / all,
        `pretraining ${number + 1} of ${all}, epoch ${epoch}, loss ${loss.toFixed(4)}`,
      );
    const pretraining = await pretrainWords(context, { corpus: task.corpus, number, onEpoch });
    reporter.timing('train', (performance.now() - started) / 1000);
    record.metric('train/loss', number, pretraining.losses.at(-1)!);
    done.pretrainings.push(pretraining);
    save(study);
  }
}

/** One representation, or null for vectors of the classifier's own; `done` classifiers of the run were trained before. */
interface Classification {
  representation: ItemRepresentation | null;
  number: number;
  words: string;
  done: number;
}

/** The best classifier over λ. Joint ones have a seed of their own each, and keep their hidden layer after 1, 2, 4, … epochs. */
async function classify(
  { context, task }: Study,
  { representation, number, words, done }: Classification,
): Promise<SentimentResult> {
  const { parameters, seed, reporter } = context;
  const isJoint = representation === null;
  const { pretrainings } = parameters;
  const all = representationCount(parameters, pretrainings) + (parameters.joint ? pretrainings : 0);
  const own = isJoint ? `joint classifier ${number}` : `classifier ${parameters.classifier.sameSeed ? 0 : number}`;
  return bestSentimentClassifier(context, {
    task,
    representation,
    seed: randomGenerator(seed, own).nextUint32(),
    ...(isJoint ? { keepsHiddenAt: (epoch: number) => Number.isInteger(Math.log2(epoch)) } : {}),
    onProgress: (fraction, message) => {
      const share = PRETRAINING_SHARE + ((1 - PRETRAINING_SHARE) * (done + fraction)) / all;
      reporter.progress(share, `${words}: ${message}`);
    },
  });
}

function scoresOf({ accuracy, validAccuracy, weightDecay, epochs }: SentimentResult): number[] {
  return [accuracy, validAccuracy, weightDecay, epochs];
}

async function trainJointly(study: Study): Promise<void> {
  const { context, record, done } = study;
  const { pretrainings } = context.parameters;
  for (let number = done.joint.length; number < pretrainings; number++) {
    const words = `joint training ${number + 1} of ${pretrainings}`;
    const before = representationCount(context.parameters, pretrainings) + number;
    const result = await classify(study, { representation: null, number, words, done: before });
    for (const [index, value] of scoresOf(result).entries()) record.metric(`joint/${METRICS[index]!}`, number, value);
    for (const [index, loss] of result.losses.entries()) record.metric(`joint/${number}/train/loss`, index + 1, loss);
    for (const [index, valid] of result.validAccuracies.entries()) {
      record.metric(`joint/${number}/valid/accuracy`, index + 1, valid);
    }
    const hidden = [...result.hidden.values(), result.lastHidden];
    done.joint.push({ epochs: [...result.hidden.keys()], hidden });
    save(study);
  }
}
