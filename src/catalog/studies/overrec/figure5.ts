import type { KindName } from '#src/catalog/kinds.ts';
import type { Study, StudyArm, StudyComparison } from '../study.ts';

const DATASETS = [
  { name: 'beauty', label: 'Beauty' },
  { name: 'clothing', label: 'Clothing' },
  { name: 'toys', label: 'Toys' },
  { name: 'ml-1m', label: 'ML-1M' },
] as const;
type Dataset = (typeof DATASETS)[number];

/** Measures of likeness between sequences, all by the code of OverRec's authors; each has its presets of Table II. */
const SIMILARITIES = [
  { name: 'overrec', label: 'OverRec (RNTK)', kind: 'overrec' },
  { name: 'nngp', label: 'NNGP-RNN', kind: 'overrec' },
  { name: 'stan', label: 'STAN', kind: 'stan' },
  { name: 'sknn', label: 'SkNN', kind: 'sknn' },
] as const satisfies readonly { name: string; label: string; kind: KindName }[];
type Similarity = (typeof SIMILARITIES)[number];

/** Ways of predicting from neighbors; the authors' code weights items otherwise than the text says, over the input or not. */
const PREDICTIONS = [
  { prediction: 'weighted-y', label: 'Weighted Y' },
  { prediction: 'weighted-item-author', label: 'Weighted Item' },
  { prediction: 'weighted-item-author-input', label: 'Weighted Item, input alone' },
  { prediction: 'equal-item', label: 'Equal Item' },
] as const;
type Prediction = (typeof PREDICTIONS)[number];

const nameOf = ({ name }: Similarity, { prediction }: Prediction, dataset: Dataset): string =>
  `${name}-${prediction}/${dataset.name}`;

/** What each kind of the table predicts by; a cell that has it is the arm of Table II. */
function armOf(similarity: Similarity, prediction: Prediction, dataset: Dataset): StudyArm {
  return {
    name: nameOf(similarity, prediction, dataset),
    label: `${similarity.label}, ${prediction.label}`,
    kind: similarity.kind,
    preset: `overrec/table-2-${similarity.name}-${dataset.name}`,
    parameters: {
      prediction: prediction.prediction,
      ...(prediction.prediction === 'weighted-y' ? { duplicateTargets: 'assign' } : {}),
    },
    deterministic: true,
    minutes: dataset.name === 'ml-1m' ? 3 : 0.5,
  };
}

const CELLS = DATASETS.flatMap((dataset) =>
  SIMILARITIES.flatMap((similarity) => PREDICTIONS.map((prediction) => ({ dataset, similarity, prediction }))),
);

/** The cell of one of them above that of the other, on every dataset. */
const above = ([upper, lower]: readonly [readonly [number, number], readonly [number, number]]): StudyComparison[] =>
  DATASETS.map((dataset) => ({
    above: nameOf(SIMILARITIES[upper[0]]!, PREDICTIONS[upper[1]]!, dataset),
    below: nameOf(SIMILARITIES[lower[0]]!, PREDICTIONS[lower[1]]!, dataset),
    metric: 'test/ndcg@5',
  }));

/** OverRec, Figure 5: similarities with prediction functions. */
export const overrecFigure5Study: Study = {
  name: 'overrec/figure-5',
  title: 'Similarity measures with prediction functions',
  source: 'Figure 5, Section VI-D',
  notes:
    'By the authors’ code: kernels un-normalised, one neighbor a target, all items ranked. Each cell is a run that finds its neighbors for itself.',
  arms: CELLS.map(({ dataset, similarity, prediction }) => armOf(similarity, prediction, dataset)),
  seeds: { quick: [1], paper: [1] },
  figures: [
    {
      name: 'ndcg-5',
      title: 'NDCG@5 by prediction function',
      shows:
        'With Weighted Y the RNTK is the best similarity, NNGP second, SkNN worst; for both kernels Weighted Y is the best prediction.',
      panels: DATASETS.map((dataset) => ({
        title: dataset.label,
        form: 'bars' as const,
        x: { label: 'prediction function' },
        y: { label: 'NDCG@5' },
        series: SIMILARITIES.map((similarity) => ({
          label: similarity.label,
          points: PREDICTIONS.map((prediction) => ({
            x: prediction.label,
            value: { arm: nameOf(similarity, prediction, dataset), metric: 'test/ndcg@5' },
          })),
        })),
      })),
    },
  ],
  claims: [
    {
      name: 'best-similarity',
      text: 'With Weighted Y the RNTK is the best similarity, NNGP-RNN second, then STAN, then SkNN.',
      source: 'Section VI-D1',
      statements: [0, 1, 2].flatMap((at) =>
        above([
          [at, 0],
          [at + 1, 0],
        ]),
      ),
    },
    {
      name: 'best-prediction',
      text: 'For OverRec and NNGP-RNN Weighted Y is the best prediction, followed by Weighted Item, then Equal Item.',
      source: 'Section VI-D2',
      statements: [0, 1].flatMap((at) => [
        ...above([
          [at, 0],
          [at, 1],
        ]),
        ...above([
          [at, 1],
          [at, 3],
        ]),
      ]),
    },
  ],
};
