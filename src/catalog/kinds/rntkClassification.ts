import { z } from 'zod';
import type { BuiltInKind, Preset } from '../kind.ts';
import { ascendingCosts, gridParameters, RNTK_KERNELS } from '../parameters/rntkGrids.ts';
import { cited } from '../published/papers.ts';

/** How hyperparameters are chosen; shared with the table over many datasets. */
export const selectionParameters = {
  costs: ascendingCosts,
  folds: z
    .int()
    .min(2)
    .max(50)
    .default(10)
    .describe(
      'Folds of the cross-validation on the training series, 2 to 50. Default 10. More train on more, and take longer.',
    ),
  foldSeeds: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe(
      'Times that the series are dealt into folds anew, each choosing its own hyperparameters; accuracies are means over them. Default 3; 1 as in the paper.',
    ),
  ties: z
    .enum(['centre', 'first'])
    .default('centre')
    .describe(
      'Which of several combinations that predict as many held-out series right is taken: centre, the one in the middle of them in the grid; first, the first of the grid. Small datasets have hundreds. Default centre; the paper does not say.',
    ),
  tolerance: z
    .number()
    .positive()
    .max(1)
    .default(1e-3)
    .describe(
      "Violation of the optimality conditions at which the support vector machine ends. Default 1e-3, LIBSVM's.",
    ),
};

export const rntkClassificationParameters = z.strictObject({
  kernel: z
    .enum(RNTK_KERNELS)
    .default('rntk')
    .describe(
      'rntk: one recurrent ReLU layer, series as sequences of numbers, or of vectors by samplesPerStep; ntk: ReLU perceptrons of 1 to 10 layers; rbf; polynomial: the whole series as one vector. Default rntk.',
    ),
  ...gridParameters,
  ...selectionParameters,
});

const DATASETS = ['GunPoint', 'Trace', 'Beef', 'SyntheticControl'];
const presets: Preset[] = DATASETS.flatMap((name) =>
  RNTK_KERNELS.map((kernel) => ({
    name: `rntk/classification-${kernel}-${name.toLowerCase()}`,
    description: `${name}, ${kernel === 'rntk' ? 'RNTK' : kernel}, the paper's grid: a cell of Table 2.`,
    dataset: `ucr/${name}`,
    parameters: { kernel },
  })),
);

export const rntkClassificationKind: BuiltInKind<'rntk-classification', typeof rntkClassificationParameters> = {
  kind: 'rntk-classification',
  version: 1,
  title: 'Series classification with RNTK',
  description:
    'Support vector machines (C-SVM, one against one) on a kernel between series of unit norm. Hyperparameters are those with most series predicted right in a stratified cross-validation on the training part, ties by `ties`; then the whole training part trains, and the test part is predicted once.',
  source: cited('rntk', 'Section 4, Appendix A.1, Table 2'),
  parameters: rntkClassificationParameters,
  data: 'series',
  presets,
  primaryMetric: 'test/accuracy',
};
