import { tf } from '../tf.ts';

/** A tensor that TensorFlow's library made, as its binding tells of it. */
interface MadeTensor {
  id: number;
  shape: number[];
  dtype: number;
}

/** What is asked of the addon that calls TensorFlow's library. */
interface TensorflowBinding {
  readonly TF_INT64: number;
  readonly TF_INT32: number;
  readonly TF_FLOAT: number;
  readonly TF_ATTR_TYPE: number;
  readonly TF_ATTR_BOOL: number;
  createTensor(shape: readonly number[], dtype: number, values: Int32Array): number;
  deleteTensor(id: number): void;
  /** Tensors that the library holds. */
  getNumOfTensors(): number;
  executeOp(name: string, attributes: readonly object[], inputs: readonly number[], outputs: number): MadeTensor[];
}

/** tfjs-node's backend, so that an operation of TensorFlow can be run for which tfjs has no name. */
export interface TensorflowBackend extends tf.KernelBackend {
  readonly binding: TensorflowBinding;
  getInputTensorIds(tensors: readonly tf.Tensor[]): number[];
  createOutputTensor(made: MadeTensor): tf.Tensor;
}

/** TensorFlow's own backend where it is the one in use; else null. */
export function tensorflowInUse(): TensorflowBackend | null {
  return tf.getBackend() === 'tensorflow' ? (tf.backend() as TensorflowBackend) : null;
}
