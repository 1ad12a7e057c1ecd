import type { KernelGrid, RntkKernel } from '../../src/catalog/kinds/rntkGrids.ts';
import type { GramEngine } from '../kernels/gramEngine.ts';
import { type InnerProducts, innerProducts, perceptronGram, polynomialGram, rbfGram } from '../kernels/inputGram.ts';
import type { KernelMatrix } from '../kernels/kernelMatrix.ts';
import { recurrentGram } from '../kernels/recurrentGram.ts';
import type { SeriesSet } from '../kernels/seriesSet.ts';

export type Hyperparameters = Readonly<Record<string, number>>;

/** All combinations of a grid's values; the last name varies fastest. */
export function gridPoints(grid: KernelGrid): Hyperparameters[] {
  return Object.entries(grid).reduce<Record<string, number>[]>(
    (points, [name, values]) => points.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
    [{}],
  );
}

export interface KernelSeries {
  /** What the recurrent kernel compares; lengths may differ. */
  sequences: SeriesSet;
  /** What the kernels of whole inputs compare: series of one length, or padded to one. */
  inputs: { values: Float64Array; dimension: number };
}

export interface GramSource {
  /** (train, train) The Gram matrix at these hyperparameters. */
  gram(point: Hyperparameters): KernelMatrix;
  /** (test, train) */
  cross(point: Hyperparameters): KernelMatrix;
}

export interface GramSourceOptions {
  engine: GramEngine | null;
  /** Called now and then; may throw to end. */
  pulse(): void;
}

/** The value of a hyperparameter that the grid of this kernel has. */
function hyperparameter(point: Hyperparameters, name: string): number {
  const value = point[name];
  if (value === undefined) throw new Error(`internal: the grid has no ${name}`);
  return value;
}

function recurrentSource(train: SeriesSet, test: SeriesSet, { engine, pulse }: GramSourceOptions): GramSource {
  const of = (rows: SeriesSet, columns: SeriesSet | null, point: Hyperparameters): KernelMatrix => {
    const [sigmaW, sigmaU, sigmaB, sigmaH] = ['sigmaW', 'sigmaU', 'sigmaB', 'sigmaH'].map((name) =>
      hyperparameter(point, name),
    );
    const network = {
      activation: 'relu' as const,
      layers: 1,
      sigmaW: sigmaW!,
      sigmaU: sigmaU!,
      sigmaB: sigmaB!,
      sigmaH: sigmaH!,
      sigmaV: 1,
    };
    return recurrentGram(engine, { rows, columns }, { network, kernel: 'rntk', betweenBlocks: pulse });
  };
  return { gram: (point) => of(train, null, point), cross: (point) => of(test, train, point) };
}

/** The kernels of whole inputs by their hyperparameters; sigma_v and the recurrent one's scale the kernel, as C does: 1. */
const INPUT_KERNELS: Readonly<
  Record<Exclude<RntkKernel, 'rntk'>, (inner: InnerProducts, point: Hyperparameters) => KernelMatrix>
> = {
  ntk: (inner, point) => {
    const [layers, sigmaW, sigmaB] = ['layers', 'sigmaW', 'sigmaB'].map((name) => hyperparameter(point, name));
    const network = { activation: 'relu' as const, layers: layers!, sigmaW: sigmaW!, sigmaB: sigmaB!, sigmaV: 1 };
    return perceptronGram(inner, network, 'ntk');
  },
  rbf: (inner, point) => rbfGram(inner, { alpha: hyperparameter(point, 'alpha') }),
  polynomial: (inner, point) =>
    polynomialGram(inner, { degree: hyperparameter(point, 'degree'), offset: hyperparameter(point, 'offset') }),
};

/** Gram matrices of a kernel on training and test series, for any hyperparameters. */
export function gramSource(
  kernel: RntkKernel,
  { train, test }: { train: KernelSeries; test: KernelSeries },
  options: GramSourceOptions,
): GramSource {
  if (kernel === 'rntk') return recurrentSource(train.sequences, test.sequences, options);
  const inner = innerProducts(train.inputs, null);
  let across: InnerProducts | null = null;
  const byPoint = INPUT_KERNELS[kernel];
  return {
    gram: (point) => byPoint(inner, point),
    cross: (point) => {
      across ??= innerProducts(test.inputs, train.inputs);
      return byPoint(across, point);
    },
  };
}
