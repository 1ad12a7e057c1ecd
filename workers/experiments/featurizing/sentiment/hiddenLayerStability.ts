import { replicateVariances } from '#workers/features/replicateVariance.ts';
import type { CurveFigure } from '#workers/figures/figure.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { MetricRecord } from '../metricRecord.ts';
import { byDimension, entryVariances, lossCurves } from '../stabilityFigures.ts';
import type { JointTraining } from './sentimentCheckpoint.ts';
import type { SentimentContext } from './sentimentTask.ts';

/** Reviews whose variances are shown dimension by dimension; three, as the paper has it. */
const SHOWN = 3;

export interface HiddenLayerFindings {
  joint: readonly JointTraining[];
  testIds: readonly string[];
  /** Has `joint/RUN/train/loss` and `joint/RUN/valid/accuracy` by epoch. */
  record: MetricRecord;
}

/**
 * Figure A.1: variance over independent joint trainings of each entry of the last hidden layer, on the test reviews.
 * `variance/hidden` at the most epochs of a training, at their best; `variance/hidden-share` is the same over the mean square of
 * the entries, so that a layer that merely grows does not count; both through training, where one that has ended stays as it
 * was at its best.
 */
export async function reportHiddenLayer(
  { reporter, parameters, seed }: SentimentContext,
  { joint, testIds, record }: HiddenLayerFindings,
): Promise<void> {
  const moments = [...new Set(joint.flatMap(({ epochs }) => epochs))].sort((a, b) => a - b);
  const through = moments.map((epoch) => {
    const now = joint.map(({ epochs, hidden }) => hidden[epochs.indexOf(epoch)] ?? hidden.at(-1)!);
    const { variances, middle, share } = fluctuation(now);
    reporter.metric('variance/hidden-through-training', epoch, middle);
    reporter.metric('variance/hidden-share-through-training', epoch, share);
    return { epoch, variances };
  });
  const { variances, middle, share } = fluctuation(joint.map(({ hidden }) => hidden.at(-1)!));
  const losses = joint.map((_, run) => [...record.series(`joint/${run}/train/loss`).values()]);
  const accuracies = joint.map((_, run) => [...record.series(`joint/${run}/valid/accuracy`).values()]);
  const last = Math.max(...losses.map(({ length }) => length));
  reporter.metric('variance/hidden', last, middle);
  reporter.metric('variance/hidden-share', last, share);
  const d = parameters.classifier.denseUnits;
  const generator = randomGenerator(seed, 'shown reviews');
  const shown = Array.from({ length: SHOWN }, () => generator.nextInt(testIds.length));
  const words = 'of the last hidden layer over joint trainings';
  const bars = byDimension({ entries: variances, shown, itemIds: testIds }, d);
  const named = bars.series.map((one, i) => ({ ...one, name: `review ${testIds[shown[i]!]}` }));
  const figures: Record<string, CurveFigure> = {
    a: { ...bars, series: named, title: `Variance of each dimension ${words} (Figure A.1a)` },
    'b-loss': { ...lossCurves(losses), title: 'Loss of each joint training (Figure A.1b)' },
    'b-accuracy': {
      ...lossCurves(accuracies),
      title: 'Validation accuracy of each joint training (Figure A.1b)',
      y: { title: 'accuracy' },
    },
    c: { ...entryVariances({ through, entries: variances }), title: `Variances of the entries ${words} (Figure A.1c)` },
  };
  for (const [name, figure] of Object.entries(figures)) await reportFigure(reporter, `figure-a1${name}`, { figure });
}

/** Variances of the entries, their mean, and that over the mean square of the entries. */
function fluctuation(replicates: readonly Float32Array[]) {
  const variances = replicateVariances(replicates);
  const middle = variances.reduce((sum, value) => sum + value, 0) / variances.length;
  let squares = 0;
  for (const entries of replicates) for (const value of entries) squares += value * value;
  const share = squares === 0 ? 0 : middle / (squares / (replicates.length * variances.length));
  return { variances, middle, share };
}
