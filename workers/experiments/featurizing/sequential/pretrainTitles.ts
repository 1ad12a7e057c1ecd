import type { FeaturizeSequentialParameters } from '#src/catalog/kinds/featurizeSequential.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type TitleCorpus, titleCorpus } from '#workers/features/titleCorpus.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { trainWordVectors } from '#workers/training/trainWordVectors.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';
import type { Replicate } from '../repeatedPretraining.ts';

type Context = ExperimentContext<FeaturizeSequentialParameters>;

/** The part of the run's progress that ends when all pretrainings are done. */
export interface TitlePretraining {
  share: number;
}

/**
 * Doc2vec on what is written about the items, as often as the parameters say, each time with a seed of its own drawn from the
 * run's. All words are kept, where Gensim drops frequent ones (docs/errata.md, 31). In one thread: equal seeds give equal bits. Throws DATA_ERROR where no item has a title, BAD_INPUT for a vocabulary
 * below two words, RUN_FAILED where the loss is not finite.
 */
export async function pretrainTitles(context: Context, { share }: TitlePretraining): Promise<Replicate[]> {
  const { parameters, reporter, seed } = context;
  const { pretrainings } = parameters;
  const corpus = await itemDocuments(context);
  const replicates: Replicate[] = [];
  for (let number = 0; number < pretrainings; number++) {
    const started = performance.now();
    const own = randomGenerator(seed, `pretraining ${number}`).nextUint32();
    const { vectors, losses } = await pretrain(context, corpus, own);
    reporter.timing('train', (performance.now() - started) / 1000);
    const loss = losses.at(-1)!;
    reporter.metric('train/loss', number, loss);
    reporter.progress(
      (share * (number + 1)) / pretrainings,
      `pretraining ${number + 1} of ${pretrainings}, loss ${loss.toFixed(4)}`,
    );
    replicates.push({ vectors, losses, snapshots: new Map() });
  }
  return replicates;
}

/** One document an item, in their order. */
async function itemDocuments({ data, parameters, reporter }: Context): Promise<TitleCorpus> {
  const dataset = await data.sequences();
  const known = await data.items();
  const { text, minimumCount, model, window } = parameters.doc2vec;
  const infos = dataset.itemIds.map((id) => known.get(id));
  if (infos.every((info) => info === undefined || info.title === '')) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": none of its ${dataset.itemCount} items has a title; expected titles by the ids of its items`,
      { path: 'dataset.name' },
    );
  }
  const texts = infos.map((info) => {
    if (info === undefined) return '';
    return text === 'title' ? info.title : [info.title, ...info.genres].join(' ');
  });
  const corpus = titleCorpus(texts, minimumCount);
  const { offsets, tokens, words, emptyDocuments } = corpus;
  reporter.note('titles', { items: texts.length, words: tokens.length, vocabulary: words, without: emptyDocuments });
  if (emptyDocuments > 0) {
    reporter.log(
      'warn',
      `${emptyDocuments} of ${texts.length} items have no word: they keep the vector they started from`,
    );
  }
  const longest = texts.reduce((most, _, item) => Math.max(most, offsets[item + 1]! - offsets[item]!), 0);
  if (model === 'pv-dm' && window >= longest) {
    reporter.log(
      'warn',
      `the window of ${window} is as long as the longest title, ${longest} words: titles are taken whole`,
    );
  }
  return corpus;
}

async function pretrain(
  { parameters: { doc2vec, dimension }, cancellation }: Context,
  corpus: TitleCorpus,
  seed: number,
): Promise<{ vectors: Float32Array; losses: number[] }> {
  const settings = { ...doc2vec, dimension, subsample: 0 };
  return trainWordVectors(corpus, settings, {
    seed,
    threads: 1,
    path: 'parameters.doc2vec.learningRate',
    pulse: () => cancellation.throwIfCancelled(),
    test: async (trained, losses) => ({ vectors: trained.documents(), losses: [...losses] }),
  });
}
