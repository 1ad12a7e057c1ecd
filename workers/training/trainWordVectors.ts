import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Corpus, WordVectorSettings } from '../features/wordVectorPlan.ts';
import { type WordVectorEpoch, type WordVectorState, WordVectors } from '../features/wordVectors.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpointFile.ts';
import { type Learner, quietObserver, train, type TrainingObserver } from './trainLoop.ts';

export interface WordVectorTraining<Result> {
  seed: number;
  /** With one, equal seeds give equal bits. */
  threads: number;
  /** Where the learning rate stands among the parameters. */
  path: string;
  /** Called every few milliseconds; may throw to stop. */
  pulse(): void;
  /** Ends after so many epochs in a row that lowered the loss by less than `minimumImprovement`; 0, and left out, never. */
  patience?: number;
  minimumImprovement?: number;
  observer?: TrainingObserver;
  /** After each epoch. */
  onEpoch?(report: WordVectorEpoch & { seconds: number }, trained: WordVectors): void;
  /** What an earlier attempt saved; null for none. */
  checkpoint?: Uint8Array | null;
  /** Epochs between checkpoints; 0, and left out, for none. */
  checkpointEvery?: number;
  /** Where there is a checkpoint, before the first epoch: epochs that it holds, 0 where it cannot be used. */
  onRestore?(epochs: number): void;
  /** What is made of the vectors in the end; `losses` by epoch. */
  test(trained: WordVectors, losses: readonly number[]): Promise<Result>;
}

/**
 * `train` for word vectors: what is restored goes on to the numbers of training that never stopped. Throws BAD_INPUT as
 * `WordVectors.open` does, RUN_FAILED where the loss is not finite.
 */
export async function trainWordVectors<Result>(
  corpus: Corpus,
  settings: WordVectorSettings,
  training: WordVectorTraining<Result>,
): Promise<Result> {
  const { seed, threads, observer = quietObserver(), checkpoint = null, checkpointEvery = 0, onRestore } = training;
  const vectors = await WordVectors.open(corpus, settings, { seed, threads });
  const losses: number[] = [];
  const learner = wordVectorLearner({ vectors, losses, learningRate: settings.learningRate }, training);
  return train(learner, {
    epochs: settings.epochs,
    evaluateEvery: 1,
    // patience waits for the loss alone
    validate: async () => ({ metrics: {}, score: 0 }),
    checkpointEvery,
    checkpointsEnd: false,
    observer,
    checkpoint,
    onRestore: () => onRestore?.(losses.length),
    test: () => training.test(vectors, losses),
  });
}

interface Learning {
  vectors: WordVectors;
  /** By epoch; added to. */
  losses: number[];
  learningRate: number;
}

function wordVectorLearner(
  { vectors, losses, learningRate }: Learning,
  { pulse, path, onEpoch, patience = 0, minimumImprovement = 0 }: WordVectorTraining<unknown>,
): Learner {
  const isOutOfPatience = (): boolean => hasStalled(losses, { patience, minimumImprovement });
  let last: (WordVectorEpoch & { seconds: number }) | null = null;
  return {
    get epoch() {
      return losses.length;
    },
    best: null,
    trainEpoch: async () => {
      const started = performance.now();
      const report = vectors.epoch(pulse);
      last = { ...report, seconds: (performance.now() - started) / 1000 };
      losses.push(report.loss);
      return { loss: report.loss, tokens: report.tokens };
    },
    check: async ({ loss }) => {
      if (Number.isFinite(loss)) return;
      throw new WarrenError(
        'RUN_FAILED',
        `training diverged in epoch ${losses.length}: the loss is ${loss}. Choose a smaller learningRate than ${learningRate}`,
        { path },
      );
    },
    measure: async () => {
      if (last !== null) onEpoch?.(last, vectors);
      return {};
    },
    noteScore: async () => isOutOfPatience(),
    isOutOfPatience,
    save: async () => encodeWordVectors({ losses, state: vectors.state() }),
    restore: (bytes) => {
      const saved = decodeWordVectors(bytes);
      if (saved === null || !vectors.restore(saved.state)) return false;
      losses.push(...saved.losses);
      return true;
    },
    takeBest: () => losses.length,
    dispose: () => vectors.close(),
  };
}

/** Whether the last `patience` epochs each lowered the loss by less than the minimum. */
function hasStalled(
  losses: readonly number[],
  { patience, minimumImprovement }: { patience: number; minimumImprovement: number },
): boolean {
  if (patience === 0 || losses.length <= patience) return false;
  return losses.slice(-patience).every((loss, i, last) => {
    const before = i === 0 ? losses.at(-patience - 1)! : last[i - 1]!;
    return before - loss < minimumImprovement;
  });
}

const word = z.int().min(0).max(0xffffffff);
const savedSchema = z.object({
  trainer: z.literal('item2vec-pairs-1'),
  losses: z.array(z.number()),
  lanes: z.array(z.tuple([word, word, word, word])),
});

/** Training that stopped: the losses of its epochs, and where it stands. */
interface SavedWordVectors {
  losses: readonly number[];
  state: WordVectorState;
}

function encodeWordVectors({ losses, state }: SavedWordVectors): Uint8Array {
  return encodeCheckpoint({
    values: { trainer: 'item2vec-pairs-1', losses, lanes: state.lanes },
    arrays: state.tables,
  });
}

/** Null where the file is damaged or another's. */
function decodeWordVectors(file: Uint8Array): SavedWordVectors | null {
  const found = decodeCheckpoint(file);
  const values = savedSchema.safeParse(found?.values);
  const [input, output] = found?.arrays ?? [];
  if (!values.success || input === undefined || output === undefined) return null;
  const { losses, lanes } = values.data;
  return { losses, state: { epoch: losses.length, lanes, tables: [input, output] } };
}
