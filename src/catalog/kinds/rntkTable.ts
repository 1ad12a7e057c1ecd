import { z } from 'zod';
import type { KindDefinition } from '../kind.ts';
import { UCR_DATASETS } from '../knownUcr.ts';
import { gridParameters, RNTK_KERNELS } from '../parameters/rntkGrids.ts';
import { selectionParameters } from './rntkClassification.ts';

const name = z.string().regex(/^ucr\/[A-Za-z0-9]+$/, 'expected a name such as ucr/GunPoint');

export const rntkTableParameters = z.strictObject({
  datasets: z
    .array(name)
    .min(1)
    .max(128)
    .default(UCR_DATASETS.map((dataset) => dataset.name))
    .describe(
      'Datasets of the UCR archive, in the order in which they are computed. Default: all whose sizes are known.',
    ),
  kernels: z
    .array(z.enum(RNTK_KERNELS))
    .min(1)
    .max(4)
    .refine((kernels) => new Set(kernels).size === kernels.length, 'expected each kernel once')
    .default([...RNTK_KERNELS])
    .describe("Kernels that are compared, each with the paper's grid, rntk with samplesPerStep. Default: all four."),
  samplesPerStep: gridParameters.samplesPerStep,
  setApart: z
    .array(name)
    .max(128)
    .default(['ucr/MiddlePhalanxOutlineCorrect'])
    .describe(
      "Datasets shown, but left out of the distance from the paper. Default MiddlePhalanxOutlineCorrect, whose kernel accuracies in the paper do not fit its test part's size.",
    ),
  ...selectionParameters,
});

export const rntkTableKind: KindDefinition<typeof rntkTableParameters> = {
  kind: 'rntk-table',
  version: 1,
  title: 'RNTK beside other kernels over many datasets',
  description:
    'rntk-classification for every dataset and kernel, summed up as in Table 1: mean accuracy, P90, P95, PMA and Friedman rank (ties to the smallest), beside the numbers that the paper prints for the same datasets. It goes on from the last finished cell.',
  source:
    'S. Alemohammad, Z. Wang, R. Balestriero, R. Baraniuk. The Recurrent Neural Tangent Kernel. ICLR 2021, Tables 1 and 2.',
  parameters: rntkTableParameters,
  data: 'none',
  presets: [
    {
      name: 'rntk/table-1',
      description: 'All UCR sets that are known, the four kernels with full grids, three fold seeds.',
      dataset: null,
      parameters: {},
    },
    {
      name: 'rntk/table-1-steps',
      description:
        'As rntk/table-1, with 1, 5 and 10 samples a step in the RNTK grid, chosen with the rest; the paper has 1. Three times the work.',
      dataset: null,
      parameters: { samplesPerStep: [1, 5, 10] },
    },
    {
      name: 'rntk/table-1-small',
      description: 'Six small sets, one fold seed: minutes.',
      dataset: null,
      parameters: {
        datasets: ['Beef', 'Coffee', 'GunPoint', 'SmoothSubspace', 'UMD', 'ECG200'].map((short) => `ucr/${short}`),
        foldSeeds: 1,
      },
    },
  ],
  primaryMetric: 'rntk/mean-accuracy',
};
