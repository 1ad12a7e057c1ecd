import type { tf } from './tf.ts';

/** Where the numbers of a tensor lie, in a shape of their own. */
export interface TensorPlace {
  dataId: object;
  dtype: tf.DataType;
  shape: number[];
}

/** A program that computes numbers one by one, in the form in which tfjs's WebGPU backend takes it. */
export interface ElementwiseProgram {
  variableNames: string[];
  outputShape: number[];
  dispatchLayout: { x: number[] };
  dispatch: [number, number, number];
  workgroupSize: [number, number, number];
  /** Whether `uniforms.size` is told. */
  size: boolean;
  uniforms: string;
  /** Programs of one key are compiled once. */
  shaderKey: string;
  getUserCode(): string;
}

/** What is asked of tfjs's own backend class. */
export interface WebgpuBackend extends tf.KernelBackend {
  /** `values` are those of a tensor that the GPU has not seen yet, or that were read from it. */
  tensorMap: { get(dataId: object): { values?: unknown; dtype: tf.DataType; shape: number[] } };
  bufferManager: {
    numBytesUsed: number;
    numBytesAllocated: number;
    /** By `${size}_${usage}`. */
    freeBuffers: ReadonlyMap<string, readonly unknown[]>;
    acquireBuffer(size: number, usage: number, mappedAtCreation?: boolean, reuse?: boolean): unknown;
  };
  convertAndCacheOnCPU(dataId: object, values: tf.BackendValues): unknown;
  /** How many tensors share the bytes of one. */
  refCount(dataId: object): number;
  /** Computes `output`, or a new tensor where none is given. */
  runWebGPUProgram(
    program: ElementwiseProgram,
    inputs: readonly TensorPlace[],
    dtype: tf.DataType,
    uniforms: readonly { type: string; data: readonly number[] }[],
    output: TensorPlace,
  ): unknown;
  dispose(): void;
}
