import { encodeNpy } from '../data/read/npyFile.ts';
import type { Protocol } from '../evaluation/protocols/protocol.ts';
import type { Scorer } from '../evaluation/ranking/scorer.ts';
import { reportItemAttributes } from './itemAttributes.ts';
import { type Learner, train } from './trainLoop.ts';
import type { TrainingContext } from './trainingContext.ts';

/** A table that a run leaves. */
export interface EmbeddingTable {
  /** Name of the artifact. */
  file: string;
  /** (rows, columns) */
  values: Float32Array;
  columns: number;
}

/** A recommender that is trained epoch by epoch and ranks as it is at the moment. */
export interface TrainedRecommender extends Learner {
  readonly scorer: Scorer;
  /** Embeddings as they are, copied out. */
  embeddings(): Promise<EmbeddingTable[]>;
}

export interface LoopParameters {
  epochs: number;
  evaluateEvery: number;
  checkpointEvery: number;
}

/** How the names of tables with a row an item end. */
const ITEM_EMBEDDINGS = 'item-embeddings.npy';

type Context = Pick<TrainingContext, 'reporter' | 'checkpoint' | 'data'> & { parameters: LoopParameters };

/**
 * `train` for a recommender: from the run's checkpoint or new, validated by the protocol, tested as it was at its best or last.
 * `test/*` stands at the last epoch. Leaves the embeddings tested, beside those of items what is known of them (`items.csv`). Where the split has no validation part, nothing is validated.
 */
export async function trainRecommender(
  context: Context,
  protocol: Protocol,
  { recommender, checkpointsEnd = true }: { recommender: TrainedRecommender; checkpointsEnd?: boolean },
): Promise<void> {
  const { parameters, reporter, checkpoint } = context;
  const { epochs, checkpointEvery } = parameters;
  const { scorer } = recommender;
  const canValidate = protocol.validationPart.users.length > 0;
  if (!canValidate && parameters.evaluateEvery > 0) {
    reporter.log('warn', 'the split has nobody to validate on: all epochs are trained, and the last one is tested');
  }
  await train(recommender, {
    epochs,
    evaluateEvery: canValidate ? parameters.evaluateEvery : 0,
    validate: () => protocol.validate(scorer),
    checkpointEvery,
    checkpointsEnd,
    observer: reporter,
    checkpoint: checkpoint?.bytes ?? null,
    onRestore: (isRestored) => {
      if (isRestored) reporter.log('info', `goes on from the checkpoint of epoch ${recommender.epoch}`);
      else reporter.log('warn', `the checkpoint of step ${checkpoint?.step} cannot be used: training starts anew`);
    },
    test: async ({ testedEpoch }) => {
      reporter.note('testedEpoch', testedEpoch);
      const start = performance.now();
      await protocol.test(scorer, recommender.epoch);
      reporter.timing('evaluate', (performance.now() - start) / 1000);
      const tables = await recommender.embeddings();
      for (const { file, values, columns } of tables) {
        reporter.artifact(file, encodeNpy(values, [values.length / columns, columns]), 'application/octet-stream');
      }
      if (tables.some(({ file }) => file.endsWith(ITEM_EMBEDDINGS)))
        await reportItemAttributes(context, protocol.split);
    },
  });
}
