import type { z } from 'zod';
import { WarrenError } from '../../src/contracts/errors.ts';
import type { KindDefinition } from '../../src/catalog/kind.ts';
import { bert4RecKind } from '../../src/catalog/kinds/bert4Rec.ts';
import { featurizeGenreKind } from '../../src/catalog/kinds/featurizeGenre.ts';
import { featurizeSequentialKind } from '../../src/catalog/kinds/featurizeSequential.ts';
import { featurizeSentimentKind } from '../../src/catalog/kinds/featurizeSentiment.ts';
import { featurizeStabilityKind } from '../../src/catalog/kinds/featurizeStability.ts';
import { featurizeTheoryKind } from '../../src/catalog/kinds/featurizeTheory.ts';
import { finiteRnnKind } from '../../src/catalog/kinds/finiteRnn.ts';
import { embeddingKind } from '../../src/catalog/kinds/embedding.ts';
import { dlr2Kind } from '../../src/catalog/kinds/dlr2.ts';
import { embeddingMapKind } from '../../src/catalog/kinds/embeddingMap.ts';
import { embeddingPerturbationKind } from '../../src/catalog/kinds/embeddingPerturbation.ts';
import { gru4RecKind } from '../../src/catalog/kinds/gru4Rec.ts';
import { hgnKind } from '../../src/catalog/kinds/hgn.ts';
import { item2VecKind } from '../../src/catalog/kinds/item2Vec.ts';
import { itemKnnKind } from '../../src/catalog/kinds/itemKnn.ts';
import { lightGcnKind } from '../../src/catalog/kinds/lightGcn.ts';
import { markovKind } from '../../src/catalog/kinds/markov.ts';
import { mfBprKind } from '../../src/catalog/kinds/mfBpr.ts';
import { ncfKind } from '../../src/catalog/kinds/ncf.ts';
import { overrecKind } from '../../src/catalog/kinds/overrec.ts';
import { overrecComparisonKind } from '../../src/catalog/kinds/overrecComparison.ts';
import { overrecSensitivityKind } from '../../src/catalog/kinds/overrecSensitivity.ts';
import { popularityKind } from '../../src/catalog/kinds/popularity.ts';
import { rnnClassificationKind } from '../../src/catalog/kinds/rnnClassification.ts';
import { sasRecKind } from '../../src/catalog/kinds/sasRec.ts';
import { sevoEfficiencyKind } from '../../src/catalog/kinds/sevoEfficiency.ts';
import { sevoStudyKind } from '../../src/catalog/kinds/sevoStudy.ts';
import { rntkConvergenceKind } from '../../src/catalog/kinds/rntkConvergence.ts';
import { rntkClassificationKind } from '../../src/catalog/kinds/rntkClassification.ts';
import { rntkRegressionKind } from '../../src/catalog/kinds/rntkRegression.ts';
import { rntkTableKind } from '../../src/catalog/kinds/rntkTable.ts';
import { rntkSensitivityKind } from '../../src/catalog/kinds/rntkSensitivity.ts';
import { sknnKind } from '../../src/catalog/kinds/sknn.ts';
import { slimKind } from '../../src/catalog/kinds/slim.ts';
import { stanKind } from '../../src/catalog/kinds/stan.ts';
import { stosaKind } from '../../src/catalog/kinds/stosa.ts';
import { userKnnKind } from '../../src/catalog/kinds/userKnn.ts';
import { parseParameters } from '../../src/catalog/parseParameters.ts';
import { didYouMean } from '../../src/lib/nearNames.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { embedding } from './embedding.ts';
import { embeddingPerturbation } from './embeddingPerturbation.ts';
import { featurizeGenre } from './featurizeGenre.ts';
import { featurizeStability } from './featurizeStability.ts';
import { featurizeTheory } from './featurizeTheory.ts';
import { item2Vec } from './item2Vec.ts';
import { itemKnn } from './itemKnn.ts';
import { markov } from './markov.ts';
import { mfBpr } from './mfBpr.ts';
import { overrec } from './overrec.ts';
import { overrecComparison } from './overrecComparison.ts';
import { overrecSensitivity } from './overrecSensitivity.ts';
import { popularity } from './popularity.ts';
import { rntkConvergence } from './rntkConvergence.ts';
import { rntkClassification } from './rntkClassification.ts';
import { rntkRegression } from './rntkRegression.ts';
import { rntkTable } from './rntkTable.ts';
import { rntkSensitivity } from './rntkSensitivity.ts';
import { sknn } from './sknn.ts';
import { slim } from './slim.ts';
import { stan } from './stan.ts';
import { userKnn } from './userKnn.ts';

/** An experiment of some kind: parameters come from outside and are checked by the kind's schema before it starts. */
export interface RegisteredExperiment {
  definition: KindDefinition;
  run: Experiment<unknown>;
}

function register<Schema extends z.ZodObject>(
  definition: KindDefinition<Schema>,
  experiment: Experiment<z.output<Schema>>,
): RegisteredExperiment {
  return {
    definition,
    run: async (context) => {
      // member by member: for kinds without data, reading `context.dataset` throws
      const checked: ExperimentContext<z.output<Schema>> = {
        parameters: parseParameters(definition, context.parameters),
        get dataset() {
          return context.dataset;
        },
        datasetName: context.datasetName,
        loadSeries: (name) => context.loadSeries(name),
        loadTexts: (name) => context.loadTexts(name),
        loadItems: () => context.loadItems(),
        split: context.split,
        seed: context.seed,
        threads: context.threads,
        reporter: context.reporter,
        cancellation: context.cancellation,
        checkpoint: context.checkpoint,
        inputs: context.inputs,
        openTensorBackend: () => context.openTensorBackend(),
      };
      await experiment(checked);
    },
  };
}

/** Every kind that workers can execute. Those with networks are loaded when they are wanted: tfjs takes its time to start. */
export const EXPERIMENTS: readonly RegisteredExperiment[] = [
  register(overrecKind, overrec),
  register(overrecComparisonKind, overrecComparison),
  register(overrecSensitivityKind, overrecSensitivity),
  register(sknnKind, sknn),
  register(stanKind, stan),
  register(popularityKind, popularity),
  register(itemKnnKind, itemKnn),
  register(userKnnKind, userKnn),
  register(slimKind, slim),
  register(markovKind, markov),
  register(mfBprKind, mfBpr),
  register(lightGcnKind, async (context) => (await import('./lightGcn.ts')).lightGcn(context)),
  register(sasRecKind, async (context) => (await import('./sasRec.ts')).sasRec(context)),
  register(gru4RecKind, async (context) => (await import('./gru4Rec.ts')).gru4Rec(context)),
  register(sevoStudyKind, async (context) => (await import('./sevoStudy.ts')).sevoStudy(context)),
  register(sevoEfficiencyKind, async (context) => (await import('./sevoEfficiency.ts')).sevoEfficiency(context)),
  register(bert4RecKind, async (context) => (await import('./bert4Rec.ts')).bert4Rec(context)),
  register(stosaKind, async (context) => (await import('./stosa.ts')).stosa(context)),
  register(finiteRnnKind, async (context) => (await import('./finiteRnn.ts')).finiteRnn(context)),
  register(embeddingKind, embedding),
  register(embeddingPerturbationKind, embeddingPerturbation),
  register(embeddingMapKind, async (context) => (await import('./embeddingMap.ts')).embeddingMap(context)),
  register(dlr2Kind, async (context) => (await import('./dlr2.ts')).dlr2(context)),
  register(ncfKind, async (context) => (await import('./ncf.ts')).ncf(context)),
  register(hgnKind, async (context) => (await import('./hgn.ts')).hgn(context)),
  register(rntkConvergenceKind, rntkConvergence),
  register(rntkSensitivityKind, rntkSensitivity),
  register(rntkClassificationKind, rntkClassification),
  register(rnnClassificationKind, async (context) =>
    (await import('./rnnClassification.ts')).rnnClassification(context),
  ),
  register(rntkTableKind, rntkTable),
  register(rntkRegressionKind, rntkRegression),
  register(item2VecKind, item2Vec),
  register(featurizeGenreKind, featurizeGenre),
  register(featurizeSequentialKind, async (context) =>
    (await import('./featurizeSequential.ts')).featurizeSequential(context),
  ),
  register(featurizeSentimentKind, async (context) =>
    (await import('./featurizeSentiment.ts')).featurizeSentiment(context),
  ),
  register(featurizeStabilityKind, featurizeStability),
  register(featurizeTheoryKind, featurizeTheory),
];

/**
 * The experiment of a kind, which checks its parameters before it starts. Throws NOT_FOUND for kinds that workers cannot
 * execute.
 */
export function experimentOf(kind: string): Experiment<unknown> {
  const found = EXPERIMENTS.find((experiment) => experiment.definition.kind === kind);
  if (found !== undefined) return found.run;
  const names = EXPERIMENTS.map((experiment) => experiment.definition.kind);
  throw new WarrenError('NOT_FOUND', `this worker has no experiment of kind "${kind}".${didYouMean(kind, names)}`, {
    path: 'kind',
  });
}
