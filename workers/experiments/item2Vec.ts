import { encodeNpy } from '../data/read/npyFile.ts';
import { rowNorms } from '../math/dense/normaliseRows.ts';
import type { Experiment } from './experiment.ts';
import type { Item2VecKindParameters } from '#src/catalog/kinds/item2Vec.ts';
import { pretrainItems, warnOfCorpus } from './featurizing/pretrainItems.ts';

/**
 * Pretrains item embeddings on all interactions. `train/loss`, `time/epoch` and `tokens/throughput` (tokens a second) stand at
 * their epoch. Checkpoints hold the training, pair by pair or with Adam.
 */
export const item2Vec: Experiment<Item2VecKindParameters> = async (context) => {
  const { parameters, reporter, seed, checkpoint } = context;
  const dataset = await context.data.sequences();
  await warnOfCorpus(context);
  const { vectors, losses } = await pretrainItems(context, {
    seed,
    checkpoints: {
      last: checkpoint?.bytes ?? null,
      every: parameters.checkpointEvery,
      keep: (epoch, bytes) => reporter.checkpoint(epoch, bytes),
    },
    onEpoch: ({ epoch, loss, tokens, seconds }) => {
      reporter.metric('train/loss', epoch, loss);
      reporter.metric('time/epoch', epoch, seconds);
      reporter.metric('tokens/throughput', epoch, tokens / seconds);
      reporter.timing('train', seconds);
      reporter.progress(epoch / parameters.epochs, `epoch ${epoch} of ${parameters.epochs}, loss ${loss.toFixed(4)}`);
    },
  });
  const { smallest, largest } = rowNorms(vectors, parameters.dimension);
  reporter.note('norms', { smallest, largest });
  reporter.note('trainedEpochs', losses.length);
  if (losses.length < parameters.epochs)
    reporter.log('info', `the loss stopped falling: ended after epoch ${losses.length}`);
  const file = encodeNpy(vectors, [dataset.itemCount, parameters.dimension]);
  reporter.artifact('item-embeddings.npy', file, 'application/octet-stream');
  reporter.artifact('items.json', Buffer.from(`${JSON.stringify(dataset.itemIds)}\n`), 'application/json');
};
