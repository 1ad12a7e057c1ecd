import { FEATURIZING_TABLE_1 } from '#src/catalog/published/featurizingTables.ts';
import type { Study, TableCell } from '../study.ts';
import { PRETRAINING_SEEDS, REPRESENTATIONS, type Representation, TASK_NAMES, TASKS, taskArm } from './tasks.ts';

const LABELS: Readonly<Record<Representation, string>> = {
  h: 'h₃₂(x)',
  'avg-h': 'avg(h₃₂(x))',
  'phi-d': 'φ₃₂(h(x))',
  'phi-2d': 'φ₆₄(h(x))',
};

/** The lifts of φ over h in the authors' own tests, in percent; printed once, beside the two rows of φ. */
const ECOM = [
  { name: 'ecom-1', label: 'Task1', lift: 0.24 },
  { name: 'ecom-2', label: 'Task2', lift: 0.13 },
  { name: 'ecom-3', label: 'Task3', lift: 0.14 },
  { name: 'ecom-4', label: 'Task4', lift: 0.1 },
] as const;

const measuredCells: readonly TableCell[] = TASK_NAMES.flatMap((task) =>
  TASKS[task].measures.flatMap(({ metric, printed }) =>
    REPRESENTATIONS.map((row): TableCell => {
      const { mean, standardDeviation } = FEATURIZING_TABLE_1[row][printed];
      return {
        row,
        column: `${task}/${metric}`,
        printed: { value: mean, ...(standardDeviation === null ? {} : { standardDeviation, n: 10 }) },
        value: { arm: task, metric: `${row}/mean-${metric}` },
      };
    }),
  ),
);

const ecomCells: readonly TableCell[] = ECOM.map(({ name, lift }) => ({
  row: 'phi-d',
  column: name,
  printed: { value: lift },
  notRunnable: 'an A/B test of a company that the paper does not name',
}));

/** Featurizing, Table 1: representations over ten pretrainings, in two tasks. */
export const featurizingTable1Study: Study = {
  name: 'featurizing/table-1',
  title: 'Pretrained representations, their average and their features in two tasks',
  source: 'Table 1, Section 6',
  notes:
    'A run holds ten pretrainings; its values are means over them, and the ratio of their deviations, each over ten values, is in the claims with its interval by the F distribution. The paper does not say among how many items Recall@5 ranks; here, among those sampled. φ₃₂ has 16 directions (errata 25). Item2vec of task 1 is trained as word2vec is, by gradient descent with a falling rate, where the paper has Adam.',
  arms: TASK_NAMES.map((task) => taskArm(task, '', TASKS[task].label)),
  seeds: PRETRAINING_SEEDS,
  table: {
    rows: REPRESENTATIONS.map((name) => ({ name, label: LABELS[name] })),
    columns: [
      ...TASK_NAMES.flatMap((task) =>
        TASKS[task].measures.map(({ metric, label }) => ({
          name: `${task}/${metric}`,
          label,
          group: TASKS[task].label,
        })),
      ),
      ...ECOM.map(({ name, label }) => ({ name, label, group: 'Ecom A/B testing' })),
    ],
    cells: [...measuredCells, ...ecomCells],
    scale: 100,
    digits: 2,
    unit: '%',
    tolerance: { absolute: 2 },
  },
  claims: [
    {
      name: 'more-stable',
      text: 'φ_d(h) is far more stable than h: its deviation over pretrainings is a tenth (here: a fifth or less).',
      source: 'Section 6, Table 1',
      statements: TASK_NAMES.flatMap((task) =>
        (['phi-d', 'phi-2d'] as const).map((row) => ({
          value: { arm: task, metric: `${TASKS[task].stability}/${row}` },
          words: `deviation of h over that of ${LABELS[row]}, ${TASKS[task].label}`,
          from: 5,
          deviationsOver: 10,
        })),
      ),
    },
    {
      name: 'above-h',
      text: 'φ_d(h) outperforms h, and φ_2d(h) is much better still.',
      source: 'Section 6, Table 1',
      statements: TASK_NAMES.flatMap((task) => {
        const { metric } = TASKS[task].measures[0];
        return [
          { above: task, below: task, metric: `phi-d/mean-${metric}`, belowMetric: `h/mean-${metric}` },
          { above: task, below: task, metric: `phi-2d/mean-${metric}`, belowMetric: `phi-d/mean-${metric}` },
        ];
      }),
    },
  ],
};
