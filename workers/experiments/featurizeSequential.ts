import type { FeaturizeSequentialParameters } from '#src/catalog/kinds/featurizeSequential.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { noteFeatures } from './featurizing/noteFeatures.ts';
import { pretrainTitles } from './featurizing/sequential/pretrainTitles.ts';
import { givenEmbeddings } from './featurizing/repeatedPretraining.ts';
import { replicateStudy } from './featurizing/replicateStudy.ts';
import { type RowPlace, scoreRows } from './featurizing/rowScores.ts';
import { reportRowTable, type RowMeasure } from './featurizing/rowTable.ts';
import { type SequentialTask, sequentialTask } from './featurizing/sequential/sequentialTask.ts';
import { type TowerScores, towerScores } from './featurizing/sequential/towerScores.ts';

type Context = ExperimentContext<FeaturizeSequentialParameters>;

/** Part of the progress that pretraining is. */
const PRETRAINING_SHARE = 0.05;

const MEASURES: readonly RowMeasure[] = [
  { metric: 'recall@5', printed: 'recall5', stability: 'stability' },
  { metric: 'ndcg@5', printed: 'ndcg5', stability: null },
];
const SAMPLED_MEASURES: readonly RowMeasure[] = [
  { metric: 'sampled-recall@5', printed: 'recall5', stability: 'sampled-stability' },
  { metric: 'sampled-ndcg@5', printed: 'ndcg5', stability: null },
];

/**
 * Featurizing, Table 1, task 2: the next item from h, avg(h), φ_d(h) and φ_2d(h) of its title by a two-tower recommender, over
 * the pretrainings, beside the printed numbers. Scores are shares as metrics, percent in the table. Checkpoints hold the
 * scores so far; pretraining takes seconds and is repeated.
 */
export const featurizeSequential: Experiment<FeaturizeSequentialParameters> = async (runContext) => {
  const { context, record, save } = replicateStudy(runContext);
  const { parameters, reporter, seed } = context;
  const { name: datasetName, inputs } = context.data;
  const task = await sequentialTask(context);
  const replicates =
    inputs.size > 0 ? await givenEmbeddings(context) : await pretrainTitles(context, { share: PRETRAINING_SHARE });
  const pretrainings = replicates.map((one) => one.vectors);
  noteFeatures(context, pretrainings[0]!);
  noteProtocol(context, task);
  await context.compute.openTensorBackend();
  const measures = task.candidates === null ? MEASURES : [...MEASURES, ...SAMPLED_MEASURES];
  const started = performance.now();
  await scoreRows({
    pretrainings,
    parameters,
    record,
    metrics: measures.map(({ metric }) => metric),
    score: async (representation, place) => {
      const { number, row } = place;
      const own = parameters.towers.sameSeed ? 'two towers' : `two towers ${number}`;
      const scores = await towerScores(context, {
        task,
        representation,
        seed: randomGenerator(seed, own).nextUint32(),
        onProgress: (fraction, message) => tell(context, place, { fraction, message }),
      });
      reporter.metric(`${row}/train/loss`, number, scores.loss);
      reporter.metric(`${row}/train/epochs`, number, scores.epochs);
      return valuesOf(scores);
    },
    onScore: () => save([]),
  });
  reporter.timing('downstream', (performance.now() - started) / 1000);
  reportRowTable(reporter, {
    record,
    datasetName,
    measures,
    facts: {
      paper:
        'd = 32. It says neither among which films it ranks nor what its Doc2vec and its towers are in detail. Its NDCG@5 is about half its Recall@5, which is less than the 0.59 of hits spread evenly over the five places.',
    },
  });
};

function valuesOf({ recall, ndcg, sampledRecall, sampledNdcg }: TowerScores): number[] {
  return [
    recall,
    ndcg,
    ...(sampledRecall === null ? [] : [sampledRecall]),
    ...(sampledNdcg === null ? [] : [sampledNdcg]),
  ];
}

function tell(
  { reporter }: Context,
  { row, number, done, all }: RowPlace,
  { fraction, message }: { fraction: number; message: string },
): void {
  const share = PRETRAINING_SHARE + ((1 - PRETRAINING_SHARE) * (done + fraction)) / all;
  reporter.progress(share, `${row} of pretraining ${number + 1}: ${message}`);
}

/** How the numbers came about, in words, for whoever reads them beside others. */
function noteProtocol({ parameters: { towers }, reporter }: Context, { histories, training }: SequentialTask): void {
  reporter.note('protocol', {
    split: 'the last item of each user with at least three tests, all before it train; no validation',
    users: histories.length,
    items: training.dataset.itemCount,
    'recall@5': `the test item among all items${towers.excludeSeen ? ' but those of the user’s history' : ''}`,
    ...(towers.candidates === 0
      ? {}
      : { 'sampled-recall@5': `the test item among ${towers.candidates} items drawn uniformly from those never met` }),
    representation: 'frozen: the towers train, h and φ do not',
    downstreamSeed: towers.sameSeed ? 'the same for all pretrainings' : 'one for each pretraining',
  });
}
