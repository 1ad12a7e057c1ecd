import { featurizingTableA1 } from '#src/catalog/published/featurizingTables.ts';
import type { Study, StudyArm, TableCell } from '../study.ts';
import { PRETRAINING_SEEDS } from './tasks.ts';

const DIMENSIONS = [16, 32, 64] as const;
const PRETRAININGS = [
  { window: 3, negatives: 3 },
  { window: 3, negatives: 4 },
  { window: 4, negatives: 3 },
  { window: 4, negatives: 4 },
] as const;
const ROWS = [
  { row: 'h', label: 'h(x)' },
  { row: 'phi-d', label: 'φ_d(h(x))' },
] as const;

type Pretraining = (typeof PRETRAININGS)[number];

const columnOf = ({ window, negatives }: Pretraining): string => `ws${window}-ns${negatives}`;
const nameOf = (d: number, pretraining: Pretraining): string => `d${d}/${columnOf(pretraining)}`;

/** Joint trainings, which do not depend on the pretraining, are in the first arm alone. */
function armOf(d: (typeof DIMENSIONS)[number], pretraining: Pretraining): StudyArm {
  const { window, negatives } = pretraining;
  return {
    name: nameOf(d, pretraining),
    label: `d = ${d}, #ws = ${window}, #ns = ${negatives}`,
    kind: 'featurize-sentiment',
    preset: `featurizing/table-a1-d${d}`,
    parameters: {
      word2vec: { window, negatives },
      ...(pretraining === PRETRAININGS[0] ? {} : { joint: false }),
    },
    minutes: 15,
    lacks: '6,000 of the 50,000 reviews, 32 units, 80 words, ten epochs and one λ',
    quick: {
      parameters: { pretrainings: 2, word2vec: { epochs: 3 }, classifier: { epochs: 1, maximumLength: 30 } },
      minutes: 1,
    },
  };
}

const cells: readonly TableCell[] = DIMENSIONS.flatMap((d) =>
  PRETRAININGS.flatMap((pretraining) =>
    ROWS.map(({ row }): TableCell => {
      const printed = featurizingTableA1(row, { dimension: d, ...pretraining });
      return {
        row: `d${d}/${row}`,
        column: columnOf(pretraining),
        ...(printed === null
          ? {}
          : { printed: { value: printed.mean, standardDeviation: printed.standardDeviation!, n: 10 } }),
        value: { arm: nameOf(d, pretraining), metric: `${row}/mean-accuracy` },
      };
    }),
  ),
);

const JOINT = featurizingTableA1('joint', { dimension: 32, window: 3, negatives: 3 })!;

/** Featurizing, Table A.1: sentiment of reviews from pretrained word vectors. */
export const featurizingTableA1Study: Study = {
  name: 'featurizing/table-a1',
  title: 'Sentiment of reviews from word vectors and from their features',
  source: 'Table A.1, Appendix G',
  notes:
    'Measured on 6,000 of the 50,000 reviews, with 32 units, the first 80 words, ten epochs and one λ; featurizing/table-a1-d32-whole is the preset of the paper’s own size, which takes many hours.',
  arms: DIMENSIONS.flatMap((d) => PRETRAININGS.map((pretraining) => armOf(d, pretraining))),
  seeds: PRETRAINING_SEEDS,
  table: {
    rows: [
      ...DIMENSIONS.flatMap((d) => ROWS.map(({ row, label }) => ({ name: `d${d}/${row}`, label, group: `d = ${d}` }))),
      { name: 'joint', label: 'trained jointly (text)' },
    ],
    columns: PRETRAININGS.map((one) => ({
      name: columnOf(one),
      label: `#ws = ${one.window}, #ns = ${one.negatives}`,
    })),
    cells: [
      ...cells,
      {
        row: 'joint',
        column: columnOf(PRETRAININGS[0]),
        printed: { value: JOINT.mean, standardDeviation: JOINT.standardDeviation!, n: 10, place: 'Appendix G, text' },
        value: { arm: nameOf(32, PRETRAININGS[0]), metric: 'joint/mean-accuracy' },
      },
    ],
    scale: 100,
    digits: 2,
    unit: '%',
    tolerance: { absolute: 2 },
  },
  claims: [
    {
      name: 'more-stable',
      text: 'Featurizing improves the downstream stability by almost eight times on average (here: in the mean over pretrainings at least four times).',
      source: 'Appendix G',
      statements: [
        {
          value: {
            parts: DIMENSIONS.flatMap((d) =>
              PRETRAININGS.map((one) => ({ arm: nameOf(d, one), metric: 'stability/phi-d' })),
            ),
            combine: (ratios) => ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length,
            words: 'deviation of h over that of φ_d, mean over the twelve pretrainings',
          },
          words: 'deviation of h over that of φ_d, mean over the twelve pretrainings',
          from: 4,
        },
      ],
    },
    {
      name: 'above-h',
      text: 'φ_d(h) has a better accuracy than h under all pretrainings.',
      source: 'Appendix G, Table A.1',
      statements: DIMENSIONS.flatMap((d) =>
        PRETRAININGS.map((one) => ({
          above: nameOf(d, one),
          below: nameOf(d, one),
          metric: 'phi-d/mean-accuracy',
          belowMetric: 'h/mean-accuracy',
        })),
      ),
    },
  ],
};
