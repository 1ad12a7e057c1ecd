import type { NumericKernelName } from './numericKernels.ts';
import type { RecommenderKernelName } from './recommenderKernels.ts';
import type { TransformerKernelName } from './transformerKernels.ts';

/**
 * Kernels of `assembly/` that every lane of a `ParallelKernels` runs at once, as `name(lane, lanes, ...parameters)`:
 * each splits its work by lane in a fixed way. Addresses are bytes in the shared memory.
 */
export type TensorKernelName =
  | NumericKernelName
  | RecommenderKernelName
  | TransformerKernelName
  | 'binary'
  | 'compare'
  | 'convert'
  | 'copyRows'
  | 'fill'
  | 'gatherRows'
  | 'matrixProduct'
  | 'probeLanes'
  | 'probeTrap'
  | 'recurrentGram'
  | 'reduceColumns'
  | 'reduceRows'
  | 'reduceRuns'
  | 'segmentSum'
  | 'select'
  | 'softmax'
  | 'stridedCopy'
  | 'transposeMatrices'
  | 'unary';

export type TensorKernel = (lane: number, lanes: number, ...parameters: number[]) => void;
