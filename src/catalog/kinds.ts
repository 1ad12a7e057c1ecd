import { WarrenError } from '../contracts/errors.ts';
import { didYouMean } from '../lib/nearNames.ts';
import type { KindDefinition, Preset } from './kind.ts';
import { bert4RecKind } from './kinds/bert4Rec.ts';
import { embeddingKind } from './kinds/embedding.ts';
import { commandKind } from './kinds/command.ts';
import { dlr2Kind } from './kinds/dlr2.ts';
import { embeddingMapKind } from './kinds/embeddingMap.ts';
import { embeddingPerturbationKind } from './kinds/embeddingPerturbation.ts';
import { externalKind } from './kinds/external.ts';
import { featurizeGenreKind } from './kinds/featurizeGenre.ts';
import { featurizeSequentialKind } from './kinds/featurizeSequential.ts';
import { featurizeSentimentKind } from './kinds/featurizeSentiment.ts';
import { featurizeStabilityKind } from './kinds/featurizeStability.ts';
import { featurizeTheoryKind } from './kinds/featurizeTheory.ts';
import { finiteRnnKind } from './kinds/finiteRnn.ts';
import { gru4RecKind } from './kinds/gru4Rec.ts';
import { hgnKind } from './kinds/hgn.ts';
import { item2VecKind } from './kinds/item2Vec.ts';
import { itemKnnKind } from './kinds/itemKnn.ts';
import { lightGcnKind } from './kinds/lightGcn.ts';
import { markovKind } from './kinds/markov.ts';
import { mfBprKind } from './kinds/mfBpr.ts';
import { ncfKind } from './kinds/ncf.ts';
import { overrecKind } from './kinds/overrec.ts';
import { popularityKind } from './kinds/popularity.ts';
import { rnnClassificationKind } from './kinds/rnnClassification.ts';
import { sasRecKind } from './kinds/sasRec.ts';
import { sevoEfficiencyKind } from './kinds/sevoEfficiency.ts';
import { rntkConvergenceKind } from './kinds/rntkConvergence.ts';
import { rntkClassificationKind } from './kinds/rntkClassification.ts';
import { rntkRegressionKind } from './kinds/rntkRegression.ts';
import { rntkSensitivityKind } from './kinds/rntkSensitivity.ts';
import { sknnKind } from './kinds/sknn.ts';
import { easeKind } from './kinds/ease.ts';
import { slimKind } from './kinds/slim.ts';
import { stanKind } from './kinds/stan.ts';
import { stosaKind } from './kinds/stosa.ts';
import { userKnnKind } from './kinds/userKnn.ts';
import { addedKinds, addedPresets } from './modules/addedContent.ts';
import { retiredKind } from './retiredKinds.ts';

/** Warren's own kinds by name, in the order in which they are shown. */
export const KIND_BY_NAME = {
  overrec: overrecKind,
  sknn: sknnKind,
  stan: stanKind,
  popularity: popularityKind,
  'item-knn': itemKnnKind,
  'user-knn': userKnnKind,
  slim: slimKind,
  ease: easeKind,
  markov: markovKind,
  'mf-bpr': mfBprKind,
  lightgcn: lightGcnKind,
  sasrec: sasRecKind,
  gru4rec: gru4RecKind,
  'sevo-efficiency': sevoEfficiencyKind,
  dlr2: dlr2Kind,
  ncf: ncfKind,
  hgn: hgnKind,
  bert4rec: bert4RecKind,
  stosa: stosaKind,
  embedding: embeddingKind,
  'embedding-perturbation': embeddingPerturbationKind,
  'embedding-map': embeddingMapKind,
  'finite-rnn': finiteRnnKind,
  'rntk-convergence': rntkConvergenceKind,
  'rntk-sensitivity': rntkSensitivityKind,
  'rntk-classification': rntkClassificationKind,
  'rnn-classification': rnnClassificationKind,
  'rntk-regression': rntkRegressionKind,
  item2vec: item2VecKind,
  'featurize-genre': featurizeGenreKind,
  'featurize-sequential': featurizeSequentialKind,
  'featurize-sentiment': featurizeSentimentKind,
  'featurize-stability': featurizeStabilityKind,
  'featurize-theory': featurizeTheoryKind,
  command: commandKind,
  external: externalKind,
} as const satisfies Readonly<Record<string, KindDefinition>>;

export type KindName = keyof typeof KIND_BY_NAME;

/** Warren's own kinds; `allKinds` has those of modules, too. */
export const KINDS: readonly KindDefinition[] = Object.values(KIND_BY_NAME);

/** Every kind that this process knows: Warren's own, then those that modules of WARREN_KINDS add, with all their presets. */
export function allKinds(): readonly KindDefinition[] {
  return [...KINDS, ...addedKinds().map(({ definition }) => definition)].map(withAddedPresets);
}

/** The kind of that name; undefined where this process knows none. */
export function findKind(name: string): KindDefinition | undefined {
  const found = [...KINDS, ...addedKinds().map(({ definition }) => definition)].find(({ kind }) => kind === name);
  return found && withAddedPresets(found);
}

function withAddedPresets(kind: KindDefinition): KindDefinition {
  const added = addedPresets(kind.kind);
  return added.length === 0 ? kind : { ...kind, presets: [...kind.presets, ...added] };
}

/** Whether a module of WARREN_KINDS has added the kind: not every worker knows it then. */
export function isAddedKind(name: string): boolean {
  return addedKinds().some(({ definition }) => definition.kind === name);
}

/** The kind of that name. Throws NOT_FOUND, with what took its place, the names that are near or all that there are. */
export function kindByName(name: string): KindDefinition {
  const found = findKind(name);
  if (found !== undefined) return found;
  const successor = retiredKind(name);
  if (successor !== null) throw new WarrenError('NOT_FOUND', successor, { path: 'kind' });
  const names = allKinds().map((kind) => kind.kind);
  const hint = didYouMean(name, names) || ` There are ${names.join(', ')}.`;
  throw new WarrenError('NOT_FOUND', `there is no kind "${name}".${hint}`, { path: 'kind' });
}

/** The preset of that name, of this kind. Throws NOT_FOUND, with the presets that the kind has. */
export function presetByName(kind: KindDefinition, name: string): Preset {
  const found = kind.presets.find((preset) => preset.name === name);
  if (found !== undefined) return found;
  const owner = allKinds().find((other) => other.presets.some((preset) => preset.name === name));
  const names = kind.presets.map((preset) => preset.name);
  let hint = didYouMean(name, names) || (names.length > 0 ? ` There are ${names.join(', ')}.` : ' It has none.');
  if (owner !== undefined) hint = ` It is a preset of ${owner.kind}.`;
  throw new WarrenError('NOT_FOUND', `kind ${kind.kind} has no preset "${name}".${hint}`, { path: 'preset' });
}

/** False for kinds that have ways of their own: `command`, and `external`, which is recorded and never queued. */
export function isEnqueueable(kind: KindDefinition): boolean {
  return kind.kind !== externalKind.kind && kind.kind !== commandKind.kind;
}
