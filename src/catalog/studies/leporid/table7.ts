import { LEPORID_ARCHITECTURES, leporidTable7 } from '#src/catalog/published/leporidTables.ts';
import type { Study, StudyArm } from '../study.ts';
import {
  dataMissing,
  isPrinted,
  LEPORID_SEEDS,
  LEPORID_TOLERANCE,
  metricCells,
  metricColumns,
  RUN_DATASETS,
  type RunDatasetName,
  startArm,
  TABLE_DATASETS,
} from './starts.ts';

type Architecture = (typeof LEPORID_ARCHITECTURES)[number];

const LABELS: Readonly<Record<Architecture, string>> = {
  'no-conv': 'No Conv',
  'only-conv': 'Only Conv',
  resnet: 'ResNet',
  revnet: 'RevNet',
};

/** ResNet is the arm of Table 3. */
function armOf(architecture: Architecture, dataset: RunDatasetName): StudyArm {
  const of = { model: 'dlr2', start: 'leporid', dataset } as const;
  if (architecture === 'resnet') return startArm(of);
  const label = `DLR², ${LABELS[architecture]}`;
  return startArm({ ...of, variant: { suffix: `-${architecture}`, label, parameters: { architecture } } });
}

/** LEPORID, Table 7 (Figure 4a has its Anime columns as bars): feature networks of DLR². */
export const leporidTable7Study: Study = {
  name: 'leporid/table-7',
  extraDatasets: ['ml-100k'],
  title: 'Architectures of DLR²',
  source: 'Table 7, Appendix B; Figure 4a, Section 5.5.4',
  arms: RUN_DATASETS.flatMap((dataset) => LEPORID_ARCHITECTURES.map((architecture) => armOf(architecture, dataset))),
  seeds: LEPORID_SEEDS,
  table: {
    rows: LEPORID_ARCHITECTURES.map((name) => ({ name, label: LABELS[name] })),
    columns: metricColumns(TABLE_DATASETS),
    cells: LEPORID_ARCHITECTURES.flatMap((architecture) =>
      TABLE_DATASETS.flatMap((dataset) => {
        const printed = isPrinted(dataset) ? leporidTable7(architecture, dataset) : null;
        if (dataset === 'steam' || dataset === 'anime') {
          return metricCells(architecture, dataset, { printed, measured: { notRunnable: dataMissing(dataset)! } });
        }
        const arm = armOf(architecture, dataset).name;
        return metricCells(architecture, dataset, {
          printed,
          measured: (metric) => ({ arm, metric: `test/${metric}` }),
        });
      }),
    ),
    digits: 4,
    tolerance: LEPORID_TOLERANCE,
  },
  claims: [
    {
      name: 'residuals-help',
      text: 'Convolutions and residual connections both bring significant improvements.',
      source: 'Section 5.5.4',
      statements: RUN_DATASETS.flatMap((dataset) => [
        { above: armOf('only-conv', dataset).name, below: armOf('no-conv', dataset).name, metric: 'test/f1@10' },
        { above: armOf('resnet', dataset).name, below: armOf('only-conv', dataset).name, metric: 'test/f1@10' },
      ]),
    },
    {
      name: 'revnet-comparable',
      text: 'RevNet is comparable with ResNet (here: within 5 % in F1@10).',
      source: 'Section 5.5.4',
      statements: RUN_DATASETS.map((dataset) => ({
        value: {
          parts: (['revnet', 'resnet'] as const).map((one) => ({
            arm: armOf(one, dataset).name,
            metric: 'test/f1@10',
          })),
          combine: ([revnet = Number.NaN, resnet = Number.NaN]: readonly number[]) => revnet / resnet,
          words: 'F1@10 of RevNet over that of ResNet',
        },
        words: `F1@10 of RevNet over that of ResNet, ${dataset}`,
        from: 0.95,
        to: 1.05,
      })),
    },
  ],
};
