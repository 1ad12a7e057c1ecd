import { tf } from '../tf.ts';
import type { ElementwiseProgram, WebgpuBackend } from '../webgpuBackend.ts';

/** tfjs's WebGPU backend where it is the one in use; else null. There an operation costs more to start than to compute. */
export function webgpuInUse(): WebgpuBackend | null {
  return tf.getBackend() === 'webgpu' ? (tf.backend() as WebgpuBackend) : null;
}

/** That backend, where these variables can be written where they lie: no other tensor shares their bytes. */
export function webgpuInPlace(variables: readonly tf.Variable[]): WebgpuBackend | null {
  const backend = webgpuInUse();
  return backend !== null && variables.every(({ dataId }) => backend.refCount(dataId) === 1) ? backend : null;
}

/** Threads that a GPU starts together. */
const WORKGROUP = 64;

/** What is computed for each number of a variable, in WGSL. */
export interface InPlaceProgram {
  /** Of this program, among all. */
  name: string;
  /** Of the variable's size each; `NAME[index]` in the body. */
  inputs: Readonly<Record<string, tf.Tensor>>;
  /** Numbers of this step; `uniforms.NAME` in the body. */
  numbers: Readonly<Record<string, number>>;
  /** Sets `result[index]`, from what it was. */
  body: string;
}

/** Runs a program over a variable where it lies: one operation, whatever the formula, and no new buffer. */
export function computeInPlace(
  backend: WebgpuBackend,
  variable: tf.Variable,
  { name, inputs, numbers, body }: InPlaceProgram,
): void {
  const { size } = variable;
  const flat = ({ dataId, dtype }: tf.Tensor) => ({ dataId, dtype, shape: [size] });
  const program: ElementwiseProgram = {
    variableNames: Object.keys(inputs),
    outputShape: [size],
    dispatchLayout: { x: [0] },
    dispatch: [Math.ceil(size / WORKGROUP), 1, 1],
    workgroupSize: [WORKGROUP, 1, 1],
    size: true,
    uniforms: Object.keys(numbers)
      .map((number) => `${number} : f32,`)
      .join(' '),
    shaderKey: `warren_${name}`,
    getUserCode: () => `fn main(index : i32) { if (index < uniforms.size) { ${body} } }`,
  };
  const uniforms = Object.values(numbers).map((number) => ({ type: 'float32', data: [number] }));
  backend.runWebGPUProgram(program, Object.values(inputs).map(flat), variable.dtype, uniforms, flat(variable));
  // tfjs keeps what was read of a tensor, since its own never change: here the next reader would get the numbers of before
  backend.tensorMap.get(variable.dataId).values = null;
}
