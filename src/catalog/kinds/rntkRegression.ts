import { z } from 'zod';
import type { BuiltInKind, Preset } from '../kind.ts';
import { gridParameters, RNTK_KERNELS, RNTK_RIDGES } from '../parameters/rntkGrids.ts';
import { cited } from '../published/papers.ts';

const count = (initial: number, most: number, words: string) =>
  z.int().min(1).max(most).default(initial).describe(`${words} Default ${initial}.`);

export const rntkRegressionParameters = z
  .strictObject({
    kernels: z
      .array(z.enum(RNTK_KERNELS))
      .min(1)
      .max(4)
      .default([...RNTK_KERNELS])
      .describe(
        'Kernels that are compared, each with its grid; the previous value as a predictor always is. Default: all four.',
      ),
    vary: z
      .enum(['nothing', 'variableLength', 'noise', 'trainingSegments'])
      .default('nothing')
      .describe(
        'What changes along the horizontal axis of the figure: T_var (Figure 4a, 4c), noise (4b), N_train (4d). Default nothing: one place.',
      ),
    values: z
      .array(z.number().min(0).max(100_000))
      .max(50)
      .default([])
      .describe('Values that `vary` takes, ascending; empty where nothing varies.'),
    fixedLength: count(10, 10_000, 'Least length T_fixed of a segment, in steps.'),
    variableLength: z
      .int()
      .min(0)
      .max(10_000)
      .default(10)
      .describe(
        'T_var, in steps: lengths are uniform from T_fixed to T_fixed + T_var. Default 10. More makes the padding of the other kernels longer.',
      ),
    trainingSegments: z.int().min(2).max(2_000).default(20).describe('Segments that train, N_train. Default 20.'),
    testSegments: count(5_000, 100_000, 'Segments that are predicted, N_test.'),
    noise: z
      .number()
      .min(0)
      .max(10)
      .default(0.05)
      .describe(
        'Standard deviation of the noise on the sinusoid, whose amplitude is 1. Default 0.05. Prices have none added.',
      ),
    points: count(1_000, 1_000_000, 'Values of the sinusoid, one period.'),
    trainingDays: count(
      700,
      100_000,
      'Days of prices from which training segments come; tests come from the days after.',
    ),
    price: z
      .enum(['open', 'high', 'low', 'close'])
      .default('close')
      .describe('Which of the daily prices is the series. Default close; the paper does not say.'),
    scaling: z
      .enum(['none', 'training-rms'])
      .nullable()
      .default(null)
      .describe(
        'Division of the series before the kernels: none, or by the root mean square of the training part. Default null: none for the sinusoid, training-rms for prices, which are in the hundreds. The paper does not say. SNR has no scale.',
      ),
    padding: z
      .enum(['front', 'back'])
      .default('front')
      .describe(
        'Where zeros fill segments up to T_fixed + T_var for the kernels that need one length; the recurrent kernel needs none. Default front: recent values keep their place. The paper does not say; its remarks on what padding costs fit back, which the presets take.',
      ),
    ridges: z
      .array(z.number().min(0).max(1e9))
      .min(1)
      .max(100)
      .default(RNTK_RIDGES)
      .describe("Ridge terms λ that are tried. Default: the paper's 20 values from 0 to 100."),
    folds: z
      .int()
      .min(2)
      .max(50)
      .default(5)
      .describe('Folds of the cross-validation on the training segments. Default 5.'),
    repetitions: count(
      10,
      10_000,
      'Times that noise and segments are drawn anew, over which SNR is averaged; 1000 in the paper.',
    ),
    ...gridParameters,
  })
  .superRefine(({ vary, values, variableLength }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if ((vary === 'nothing') !== (values.length === 0)) {
      refuse('values', vary === 'nothing' ? 'nothing varies: expected none' : `expected the values of ${vary}`);
    }
    if (values.some((value, i) => i > 0 && value <= values[i - 1]!)) refuse('values', 'expected values that ascend');
    const isCounted = vary === 'variableLength' || vary === 'trainingSegments';
    if (isCounted && values.some((value) => !Number.isInteger(value))) refuse('values', `${vary} takes whole numbers`);
    if (vary === 'trainingSegments' && values.some((value) => value < 2))
      refuse('values', 'expected at least 2 segments');
    if (variableLength > 1_000) refuse('variableLength', 'expected at most 1000');
  });

export type RntkRegressionParameters = z.output<typeof rntkRegressionParameters>;

/** A panel of Figure 4, with ten repetitions and, as `…-1000`, with the paper's thousand. */
const figure = (panel: string, description: string, given: Pick<Preset, 'dataset' | 'parameters'>): Preset[] => [
  {
    name: `rntk/figure-${panel}`,
    description: `${description} Ten repetitions, where the paper has 1,000.`,
    ...given,
  },
  {
    name: `rntk/figure-${panel}-1000`,
    description: `${description} The paper’s 1,000 repetitions: hours on two cores.`,
    ...given,
    parameters: { ...given.parameters, repetitions: 1000 },
  },
];

const GOOGLE = 'goog-daily-2014-2018';
/** Zeros behind: with them the other kernels fall off with T_var as the paper says; in front they hardly do. */
const LENGTHS = { vary: 'variableLength', values: [0, 5, 10, 20, 30, 40], padding: 'back' };

export const rntkRegressionKind: BuiltInKind<'rntk-regression', typeof rntkRegressionParameters> = {
  kind: 'rntk-regression',
  version: 1,
  title: 'Series regression with RNTK',
  description:
    'Kernel ridge regression of the next value of a series from segments of random length: a noisy sinusoid where no dataset is named, else daily prices. Hyperparameters and ridge have the least squared error in a cross-validation on the training segments, ties to the first. SNR = 10 log₁₀(Σ y² / Σ (y - ŷ)²) in dB, averaged over repetitions, beside that of the previous value as a predictor (PTS).',
  source: cited('rntk', 'Section 4, Appendix A.2, Figure 4'),
  parameters: rntkRegressionParameters,
  data: 'series-or-none',
  presets: [
    ...figure('4a', 'Noisy sinusoid, SNR against T_var.', { dataset: null, parameters: LENGTHS }),
    ...figure('4a-front', 'Figure 4a with zeros in front of the segments, which costs the other kernels far less.', {
      dataset: null,
      parameters: { ...LENGTHS, padding: 'front' },
    }),
    ...figure('4b', 'Noisy sinusoid, SNR against the noise, T_var 10.', {
      dataset: null,
      parameters: { vary: 'noise', values: [0.01, 0.05, 0.1, 0.2, 0.3, 0.5], padding: 'back' },
    }),
    ...figure('4c', "Google's share, SNR against T_var.", { dataset: GOOGLE, parameters: LENGTHS }),
    ...figure('4c-front', 'Figure 4c with zeros in front of the segments.', {
      dataset: GOOGLE,
      parameters: { ...LENGTHS, padding: 'front' },
    }),
    ...figure('4d', "Google's share, SNR against the training size, T_var 10.", {
      dataset: GOOGLE,
      parameters: { vary: 'trainingSegments', values: [10, 20, 40, 80, 160], padding: 'back' },
    }),
  ],
  primaryMetric: 'rntk/snr',
};
