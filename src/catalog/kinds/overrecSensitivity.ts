import { z } from 'zod';
import type { KindDefinition } from '../kind.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';
import {
  checkKernelVariant,
  duplicateTargets,
  kernelMaximumLength,
  kernelVariant,
  sequenceKernelParameters,
} from '../parameters/sequenceKernelParameters.ts';

/** The paper's values of σ_W, σ_U and σ_V. */
const PAPER_SIGMAS = [0.3, 0.5, 0.8, 1, 1.2, Math.SQRT2];

const sigmas = (sigma: string, initial: number[], note: string) =>
  z
    .array(z.number().min(0).max(10))
    .max(20)
    .default(initial)
    .describe(
      `Values of ${sigma} that are tried, 0 to 10; none leaves it at its own value. ${note} Default ${initial.length === 0 ? 'none' : initial.map((value) => Number(value.toPrecision(4))).join(', ')}.`,
    );

const counts = (what: string, most: number, { initial, note }: { initial: number[]; note: string }) =>
  z
    .array(z.int().min(1).max(most))
    .max(20)
    .default(initial)
    .describe(
      `Values of ${what} that are tried, 1 to ${most}; none leaves it at its own value. ${note} Default ${initial.length === 0 ? 'none' : initial.join(', ')}.`,
    );

export const overrecSensitivityParameters = z
  .strictObject({
    kernels: z
      .array(z.enum(['rntk', 'nngp']))
      .min(1)
      .max(2)
      .refine((kernels) => new Set(kernels).size === kernels.length, 'expected each kernel once')
      .default(['rntk', 'nngp'])
      .describe(
        'Kernels that are compared: rntk, the tangent kernel, and nngp, the kernel at initialisation. Default both.',
      ),
    ...sequenceKernelParameters,
    variant: kernelVariant,
    neighbours: z
      .int()
      .min(1)
      .max(1000)
      .nullable()
      .default(null)
      .describe(
        "Neighbours k that vote, 1 to 1000. Default null: each metric's own cut-off. More reach more items and dilute the nearest.",
      ),
    duplicateTargets,
    maximumLength: kernelMaximumLength,
    sigmaWValues: sigmas(
      'sigmaW',
      PAPER_SIGMAS,
      'Where sigmaU has values too, all pairs are tried. Larger ones remember longer.',
    ),
    sigmaUValues: sigmas(
      'sigmaU',
      PAPER_SIGMAS,
      'With the exact ReLU kernel and no biases they change no ranking. Larger ones let matches count more against the past.',
    ),
    sigmaVValues: sigmas('sigmaV', PAPER_SIGMAS, 'It scales the exact kernel and changes no ranking.'),
    sigmaBValues: sigmas('sigmaB', [], 'Larger ones make all pairs more alike.'),
    sigmaHValues: sigmas('sigmaH', [], 'Larger ones make short sequences less alike.'),
    neighboursValues: counts('neighbours', 1000, {
      initial: [1, 2, 5, 10, 20, 50, 100],
      note: 'Larger ones reach more items.',
    }),
    layersValues: counts('layers', 10, { initial: [], note: 'Larger ones look further back and take longer.' }),
    maximumLengthValues: counts('maximumLength', 500, {
      initial: [1, 2, 5, 10, 20, 50],
      note: 'Larger ones see more of long sequences.',
    }),
    ...rankingParameters,
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkKernelVariant(parameters, refuse);
    if (parameters.variant === 'exact') return;
    if (parameters.layersValues.some((layers) => layers !== 1)) refuse('layersValues', 'variant author has one layer');
    if (parameters.sigmaHValues.some((sigma) => sigma !== 0))
      refuse('sigmaHValues', 'variant author has no sigmaH: 0 is expected');
  });

export type OverrecSensitivityParameters = z.output<typeof overrecSensitivityParameters>;

export const overrecSensitivityKind: KindDefinition<typeof overrecSensitivityParameters> = {
  kind: 'overrec-sensitivity',
  version: 1,
  title: 'Sensitivity of OverRec to its parameters',
  description:
    'How OverRec and NNGP-RNN fare as the variances change (Figure 6): σ_W and σ_U in all pairs as a map, the other variances, the number of neighbours, layers and the longest sequence one at a time, the rest at its own value. Metrics test/KERNEL/PARAMETER/VALUE/… at step 0; the figures show MRR at the first cut-off. It goes on from the last finished point.',
  source:
    'R. Qiu, Z. Huang, H. Yin. Beyond Double Ascent via Recurrent Neural Tangent Kernel in Sequential Recommendation. ICDM 2022, Section VI-E, Figure 6.',
  parameters: overrecSensitivityParameters,
  data: 'sequences',
  presets: [
    {
      name: 'overrec/figure-6-beauty',
      description:
        "Amazon Beauty, Figure 6 by the authors' code: only un-normalised kernels depend on σ_U as the paper shows.",
      dataset: 'amazon-beauty',
      parameters: { variant: 'author', duplicateTargets: 'assign' },
    },
    {
      name: 'overrec/figure-6-exact-beauty',
      description: 'Amazon Beauty, Figure 6 by the exact kernels and Eq. 16, with one to three layers and biases.',
      dataset: 'amazon-beauty',
      parameters: { layersValues: [1, 2, 3], sigmaBValues: [0, 0.1, 0.3, 1] },
    },
    {
      name: 'demo/overrec-sensitivity-generated',
      description: 'Generated Markov sequences, three values of σ_W and of k: needs no download.',
      dataset: 'generated/markov-small',
      parameters: {
        sigmaWValues: [0.3, 1, Math.SQRT2],
        sigmaUValues: [],
        sigmaVValues: [],
        neighboursValues: [1, 5, 20],
        maximumLengthValues: [],
      },
    },
  ],
  primaryMetric: 'test/rntk/mrr@5',
};
