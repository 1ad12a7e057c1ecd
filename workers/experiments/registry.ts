import type { z } from 'zod';
import type { KindAddition } from '#src/catalog/modules/addition.ts';
import { addedKinds } from '#src/catalog/modules/addedContent.ts';
import { type KIND_BY_NAME, type KindName, kindByName } from '#src/catalog/kinds.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { WarrenError } from '#src/contracts/errors.ts';
import { didYouMean } from '#src/lib/nearNames.ts';
import type { Experiment } from './experiment.ts';
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
import { popularity } from './popularity.ts';
import { rntkClassification } from './rntkClassification.ts';
import { rntkConvergence } from './rntkConvergence.ts';
import { rntkRegression } from './rntkRegression.ts';
import { rntkSensitivity } from './rntkSensitivity.ts';
import { sknn } from './sknn.ts';
import { ease } from './ease.ts';
import { slim } from './slim.ts';
import { stan } from './stan.ts';
import { userKnn } from './userKnn.ts';

/** Kinds that executors compute: all but programs of users. */
export type ExecutedKind = Exclude<KindName, 'external' | 'command'>;

type ParametersByKind = {
  readonly [Name in ExecutedKind]: z.output<(typeof KIND_BY_NAME)[Name]['parameters']>;
};

/** An experiment for each kind, which takes the parameters of the kind's schema: what has no other half does not compile. */
type Experiments = { readonly [Name in ExecutedKind]: Experiment<ParametersByKind[Name]> };

/** Every kind that workers can execute. Those with networks are loaded when they are wanted: tfjs takes its time to start. */
const EXPERIMENTS: Experiments = {
  overrec,
  sknn,
  stan,
  popularity,
  'item-knn': itemKnn,
  'user-knn': userKnn,
  slim,
  ease,
  markov,
  'mf-bpr': mfBpr,
  lightgcn: async (context) => (await import('./lightGcn.ts')).lightGcn(context),
  sasrec: async (context) => (await import('./sasRec.ts')).sasRec(context),
  gru4rec: async (context) => (await import('./gru4Rec.ts')).gru4Rec(context),
  'sevo-efficiency': async (context) => (await import('./sevoEfficiency.ts')).sevoEfficiency(context),
  bert4rec: async (context) => (await import('./bert4Rec.ts')).bert4Rec(context),
  stosa: async (context) => (await import('./stosa.ts')).stosa(context),
  'finite-rnn': async (context) => (await import('./finiteRnn.ts')).finiteRnn(context),
  embedding,
  'embedding-perturbation': embeddingPerturbation,
  'embedding-map': async (context) => (await import('./embeddingMap.ts')).embeddingMap(context),
  dlr2: async (context) => (await import('./dlr2.ts')).dlr2(context),
  ncf: async (context) => (await import('./ncf.ts')).ncf(context),
  hgn: async (context) => (await import('./hgn.ts')).hgn(context),
  'rntk-convergence': rntkConvergence,
  'rntk-sensitivity': rntkSensitivity,
  'rntk-classification': rntkClassification,
  'rnn-classification': async (context) => (await import('./rnnClassification.ts')).rnnClassification(context),
  'rntk-regression': rntkRegression,
  item2vec: item2Vec,
  'featurize-genre': featurizeGenre,
  'featurize-sequential': async (context) => (await import('./featurizeSequential.ts')).featurizeSequential(context),
  'featurize-sentiment': async (context) => (await import('./featurizeSentiment.ts')).featurizeSentiment(context),
  'featurize-stability': featurizeStability,
  'featurize-theory': featurizeTheory,
};

const NAMES: readonly string[] = Object.keys(EXPERIMENTS);

function isExecuted(kind: string): kind is ExecutedKind {
  return NAMES.includes(kind);
}

/** The experiment of one kind, with parameters as they come from outside: they are checked before it starts. */
function checked<Name extends ExecutedKind>(name: Name): Experiment<unknown> {
  const experiment: Experiments[Name] = EXPERIMENTS[name];
  return async (context) => {
    // the schema of the same name has made them
    const parameters = parseParameters(kindByName(name), context.parameters) as ParametersByKind[Name];
    await experiment({ ...context, parameters });
  };
}

/** The experiment of a kind that a module of WARREN_KINDS has added. */
function checkedAddition({ definition, run }: Pick<KindAddition, 'definition' | 'run'>): Experiment<unknown> {
  // `defineKind` of `warren/kinds` has held it against the kind's schema
  const experiment = run as Experiment<Record<string, unknown>>;
  return async (context) => {
    await experiment({ ...context, parameters: parseParameters(definition, context.parameters) });
  };
}

/**
 * The experiment of a kind, which checks its parameters before it starts. Throws NOT_FOUND for kinds that workers cannot
 * execute.
 */
export function experimentOf(kind: string): Experiment<unknown> {
  if (isExecuted(kind)) return checked(kind);
  const added = addedKinds().find(({ definition }) => definition.kind === kind);
  if (added !== undefined) return checkedAddition(added);
  throw new WarrenError('NOT_FOUND', `this worker has no experiment of kind "${kind}".${didYouMean(kind, NAMES)}`, {
    path: 'kind',
  });
}
