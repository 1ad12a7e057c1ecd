import type { KernelGrid, RntkKernel } from '#src/catalog/parameters/rntkGrids.ts';
import type { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import {
  type InnerProducts,
  type Inputs,
  innerProducts,
  polynomialGram,
  rbfGram,
} from '#workers/kernels/recurrent/inputGram.ts';
import type { KernelMatrix } from '#workers/kernels/recurrent/kernelMatrix.ts';
import { recurrentGram } from '#workers/kernels/recurrent/recurrentGram.ts';
import { joinSteps, type SeriesSet } from '#workers/kernels/recurrent/seriesSet.ts';
import { vectorGram } from '#workers/kernels/recurrent/vectorGram.ts';

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
  /** What the kernels of whole inputs compare: series of one length, or padded to one. Null where only the recurrent kernel is asked for. */
  inputs: Inputs | null;
}

export interface GramSource {
  /** (train, train) The Gram matrix at these hyperparameters. */
  gram(point: Hyperparameters): KernelMatrix;
  /** (test, train) */
  cross(point: Hyperparameters): KernelMatrix;
}

export interface GramSourceOptions {
  engine: NumericThreads | null;
  /** Called now and then; may throw to end. */
  pulse(): void;
}

/** The value of a hyperparameter that the grid of this kernel has. */
function hyperparameter(point: Hyperparameters, name: string): number {
  const value = point[name];
  if (value === undefined) throw new Error(`internal: the grid has no ${name}`);
  return value;
}

/** sigma_v scales the kernel, as the cost C of a machine does: 1. */
const SIGMA_V = 1;

function recurrentSource(train: SeriesSet, test: SeriesSet, { engine, pulse }: GramSourceOptions): GramSource {
  const of = (left: SeriesSet, right: SeriesSet | null, point: Hyperparameters): KernelMatrix => {
    const samples = hyperparameter(point, 'samplesPerStep');
    const rows = joinSteps(left, samples);
    const columns = right === null ? null : joinSteps(right, samples);
    const network = {
      activation: 'relu' as const,
      layers: 1,
      sigmaW: hyperparameter(point, 'sigmaW'),
      sigmaU: hyperparameter(point, 'sigmaU'),
      sigmaB: hyperparameter(point, 'sigmaB'),
      sigmaH: hyperparameter(point, 'sigmaH'),
      sigmaV: SIGMA_V,
    };
    return recurrentGram(engine, { rows, columns }, { network, kernel: 'rntk', betweenBlocks: pulse });
  };
  return { gram: (point) => of(train, null, point), cross: (point) => of(test, train, point) };
}

/** Whole inputs as a set of vectors, for kernels that are compiled. */
function vectorsOf({ values, dimension }: Inputs): SeriesSet {
  return { dimension, values, offsets: Uint32Array.from({ length: values.length / dimension + 1 }, (_, i) => i) };
}

function perceptronSource(train: SeriesSet, test: SeriesSet, { engine, pulse }: GramSourceOptions): GramSource {
  const of = (rows: SeriesSet, columns: SeriesSet | null, point: Hyperparameters): KernelMatrix => {
    const kernel = {
      name: 'mlp-ntk' as const,
      activation: 'relu' as const,
      layers: hyperparameter(point, 'layers'),
      sigmaW: hyperparameter(point, 'sigmaW'),
      sigmaB: hyperparameter(point, 'sigmaB'),
      sigmaV: SIGMA_V,
    };
    return vectorGram(engine, { rows, columns }, { kernel, betweenBlocks: pulse });
  };
  return { gram: (point) => of(train, null, point), cross: (point) => of(test, train, point) };
}

/** Kernels that follow from inner products, computed once for all hyperparameters. */
function innerProductSource(
  kernel: 'rbf' | 'polynomial',
  { train, test }: { train: Inputs; test: Inputs },
): GramSource {
  const ofInner = (inner: InnerProducts, point: Hyperparameters): KernelMatrix =>
    kernel === 'rbf'
      ? rbfGram(inner, { alpha: hyperparameter(point, 'alpha') })
      : polynomialGram(inner, { degree: hyperparameter(point, 'degree'), offset: hyperparameter(point, 'offset') });
  const own = innerProducts(train, null);
  let across: InnerProducts | null = null;
  return {
    gram: (point) => ofInner(own, point),
    cross: (point) => {
      across ??= innerProducts(test, train);
      return ofInner(across, point);
    },
  };
}

/** Gram matrices of a kernel on training and test series, for any hyperparameters. */
export function gramSource(
  kernel: RntkKernel,
  { train, test }: { train: KernelSeries; test: KernelSeries },
  options: GramSourceOptions,
): GramSource {
  if (kernel === 'rntk') return recurrentSource(train.sequences, test.sequences, options);
  if (train.inputs === null || test.inputs === null) throw new Error(`internal: ${kernel} needs series of one length`);
  const inputs = { train: train.inputs, test: test.inputs };
  if (kernel === 'ntk') return perceptronSource(vectorsOf(inputs.train), vectorsOf(inputs.test), options);
  return innerProductSource(kernel, inputs);
}
