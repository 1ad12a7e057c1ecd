import type { FeaturizeGenreParameters } from '#src/catalog/kinds/featurizeGenre.ts';
import type { Experiment } from './experiment.ts';
import { genreScores, genreTask } from './featurizing/genreTask.ts';
import { noteFeatures } from './featurizing/noteFeatures.ts';
import { repeatedPretraining } from './featurizing/repeatedPretraining.ts';
import { replicateStudy } from './featurizing/replicateStudy.ts';
import { scoreRows } from './featurizing/rowScores.ts';
import { reportRowTable } from './featurizing/rowTable.ts';

/** Part of the progress that pretraining is. */
const PRETRAINING_SHARE = 0.7;

/**
 * Featurizing, Table 1, task 1: genres of items from h, avg(h), φ_d(h) and φ_2d(h) by logistic regression, over the
 * pretrainings, beside the printed numbers. Scores are shares as metrics, percent in the table. Checkpoints hold the
 * pretrainings and the scores so far.
 */
export const featurizeGenre: Experiment<FeaturizeGenreParameters> = async (runContext) => {
  const { context, record, finished, save } = replicateStudy(runContext);
  const { parameters, reporter, cancellation } = context;
  const { name: datasetName, inputs } = context.data;
  const task = await genreTask(context);
  const replicates = await repeatedPretraining(context, { share: PRETRAINING_SHARE, finished, onReplicate: save });
  const pretrainings = replicates.map((one) => one.vectors);
  noteFeatures(context, pretrainings[0]!);
  const kept = inputs.size > 0 ? [] : replicates;
  const started = performance.now();
  const { inverseStrength } = parameters;
  await scoreRows({
    pretrainings,
    parameters,
    record,
    metrics: ['accuracy', 'macro-f1'],
    score: (representation) => {
      const pulse = (): void => cancellation.throwIfCancelled();
      const { accuracy, macroF1 } = genreScores(task, representation, { inverseStrength, pulse });
      return [accuracy, macroF1];
    },
    onScore: ({ row, number, done, all }) => {
      reporter.progress(
        PRETRAINING_SHARE + ((1 - PRETRAINING_SHARE) * done) / all,
        `logistic regression on ${row} of pretraining ${number + 1}`,
      );
      if (row === 'avg-h' || number === pretrainings.length - 1) save(kept);
    },
  });
  reporter.timing('downstream', (performance.now() - started) / 1000);
  reportRowTable(reporter, {
    record,
    datasetName,
    measures: [
      { metric: 'accuracy', printed: 'accuracy', stability: 'stability' },
      { metric: 'macro-f1', printed: 'macroF1', stability: null },
    ],
    facts: {
      genres: parameters.genres,
      paper:
        'd = 32. Its A/B tests of an unnamed company cannot be repeated. It does not say which genre of a film with several is predicted.',
    },
  });
};
