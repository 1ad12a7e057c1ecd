import { densityOf } from '#workers/features/replicateVariance.ts';
import type { CurveFigure } from '#workers/figures/figure.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';
import type { Reporter } from '../experiment.ts';

/** What the panels of Figure 1 show. */
export interface StabilityFindings {
  /** Loss of each epoch, by pretraining. */
  losses: readonly (readonly number[])[];
  /** (items × d) Variances of the entries of h, as it is trained, by epoch. */
  through: readonly { epoch: number; variances: Float64Array }[];
  /** (items × d) At the end. */
  entries: Float64Array;
  /** (pairs) Variances of inner products of h, and of φ_d. */
  products: Float64Array;
  featureProducts: Float64Array;
  /** Items whose variances are shown by dimension. */
  shown: readonly number[];
  itemIds: readonly string[];
  downstream: readonly { row: string; accuracies: readonly number[] }[] | null;
}

const BINS = 60;

/** Leaves the four panels of Figure 1, and the fluctuation downstream, as figures. */
export async function reportStabilityFigures(
  reporter: Reporter,
  findings: StabilityFindings,
  d: number,
): Promise<void> {
  const { losses, downstream } = findings;
  await reportFigure(reporter, 'figure-1a', { figure: byDimension(findings, d) });
  if (losses.some((one) => one.length > 0)) await reportFigure(reporter, 'figure-1b', { figure: lossCurves(losses) });
  await reportFigure(reporter, 'figure-1c', { figure: entryVariances(findings) });
  await reportFigure(reporter, 'figure-1d', { figure: productVariances(findings) });
  if (downstream !== null) await reportFigure(reporter, 'figure-1-downstream', { figure: fluctuation(downstream) });
}

export function byDimension(
  { entries, shown, itemIds }: Pick<StabilityFindings, 'entries' | 'shown' | 'itemIds'>,
  d: number,
): CurveFigure {
  const places = Array.from({ length: d }, (_, k) => k);
  return {
    form: 'curves',
    title: 'Variance of each dimension of h over pretrainings (Figure 1a)',
    x: { title: 'dimension', scale: 'category', categories: places.map((k) => String(k + 1)) },
    y: { title: 'variance' },
    series: shown.map((item) => ({
      form: 'bars',
      name: `item ${itemIds[item]}`,
      values: [...entries.subarray(item * d, (item + 1) * d)],
    })),
  };
}

export function lossCurves(losses: readonly (readonly number[])[]): CurveFigure {
  return {
    form: 'curves',
    title: 'Loss of each pretraining (Figure 1b)',
    x: { title: 'epoch' },
    y: { title: 'loss' },
    series: losses.map((values, run) => ({
      form: 'line',
      name: `run ${run + 1}`,
      x: values.map((_, epoch) => epoch + 1),
      y: values,
    })),
  };
}

export function entryVariances({ through, entries }: Pick<StabilityFindings, 'through' | 'entries'>): CurveFigure {
  const moments = through.length > 0 ? through : [{ epoch: null, variances: entries }];
  const most = Math.max(...moments.map(({ variances }) => quantile(variances, 0.999)));
  return {
    form: 'curves',
    title: 'Variances of the entries of h, through training (Figure 1c)',
    x: { title: 'variance over pretrainings' },
    y: { title: 'density' },
    series: moments.map(({ epoch, variances }) => {
      const { centres, densities } = densityOf(variances, { bins: BINS, most });
      return { form: 'line', name: epoch === null ? 'at the end' : `epoch ${epoch}`, x: centres, y: densities };
    }),
  };
}

function productVariances({ products, featureProducts }: StabilityFindings): CurveFigure {
  const most = Math.max(quantile(products, 0.999), quantile(featureProducts, 0.999));
  return {
    form: 'curves',
    title: 'Variances of pairwise inner products (Figure 1d)',
    x: { title: 'variance over pretrainings' },
    y: { title: 'density' },
    series: [
      { name: 'h', values: products },
      { name: 'φ', values: featureProducts },
    ].map(({ name, values }) => {
      const { centres, densities } = densityOf(values, { bins: BINS, most });
      return { form: 'line', name, x: centres, y: densities };
    }),
  };
}

function fluctuation(downstream: readonly { row: string; accuracies: readonly number[] }[]): CurveFigure {
  return {
    form: 'curves',
    title: 'Accuracy of genres by pretraining (Figure 1, right)',
    x: { title: 'pretraining' },
    y: { title: 'accuracy' },
    series: downstream.map(({ row, accuracies }) => ({
      form: 'line',
      name: row === 'h' ? 'h' : 'φ of the length of h',
      x: accuracies.map((_, run) => run + 1),
      y: accuracies,
    })),
  };
}

/** The largest value but for the given part above it, above 0. */
function quantile(values: Float64Array, part: number): number {
  const sorted = Float64Array.from(values).sort();
  return Math.max(Number.MIN_VALUE, sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!);
}
