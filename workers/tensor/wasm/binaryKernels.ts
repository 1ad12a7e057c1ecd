import * as operation from '#workers/wasm/fields/elementwiseFields.ts';
import { tf } from '../tf.ts';
import { broadcastPlan } from './broadcastPlan.ts';
import { input, isFloat, type KernelCall, type OwnKernel, sizeOf } from './ownKernel.ts';

const ARITHMETIC: Readonly<Record<string, number>> = {
  Add: operation.ADD,
  Sub: operation.SUBTRACT,
  Multiply: operation.MULTIPLY,
  RealDiv: operation.DIVIDE,
  Maximum: operation.MAXIMUM,
  Minimum: operation.MINIMUM,
  SquaredDifference: operation.SQUARED_DIFFERENCE,
};

const COMPARISONS: Readonly<Record<string, number>> = {
  Greater: operation.GREATER,
  GreaterEqual: operation.GREATER_EQUAL,
  Less: operation.LESS,
  LessEqual: operation.LESS_EQUAL,
  Equal: operation.EQUAL,
  NotEqual: operation.NOT_EQUAL,
};

function pairwise(call: KernelCall, kernel: 'binary' | 'compare', kind: number): tf.TensorInfo | null {
  const { backend } = call;
  const a = input(call, 'a');
  const b = input(call, 'b');
  if (!isFloat(a, b)) return null;
  const shape = tf.backend_util.assertAndGetBroadcastShape(a.shape, b.shape);
  const plan = broadcastPlan(a.shape, b.shape, shape);
  const size = sizeOf(shape);
  if (plan === null || size === 0) return null;
  const { info, address } = backend.allocate(shape, kernel === 'binary' ? 'float32' : 'bool');
  const operands = [backend.addressOf(a), backend.addressOf(b), address] as const;
  backend.compute(size, kernel, kind, ...operands, ...plan.extents, ...plan.aSteps, ...plan.bSteps);
  return info;
}

/** The sum of several tensors of one shape, from the first to the last. */
const addN: OwnKernel = {
  name: 'AddN',
  compute({ backend, inputs }) {
    const [first, second, ...others] = Object.values(inputs).filter((info) => info !== undefined);
    if (first === undefined || second === undefined || !isFloat(first, second, ...others)) return null;
    const size = sizeOf(first.shape);
    if (size === 0) return null;
    const { info, address } = backend.allocate(first.shape, 'float32');
    let sum = backend.addressOf(first);
    for (const term of [second, ...others]) {
      const operands = [sum, backend.addressOf(term), address] as const;
      backend.compute(size, 'binary', operation.ADD, ...operands, 1, 1, size, 0, 0, 1, 0, 0, 1);
      sum = address;
    }
    return info;
  },
};

const select: OwnKernel = {
  name: 'Select',
  compute(call) {
    const { backend } = call;
    const condition = input(call, 'condition');
    const [t, e] = [input(call, 't'), input(call, 'e')];
    if (!isFloat(t, e) || condition.dtype !== 'bool' || condition.shape.length !== t.shape.length) return null;
    const size = sizeOf(t.shape);
    const { info, address } = backend.allocate(t.shape, 'float32');
    const operands = [backend.addressOf(condition), backend.addressOf(t), backend.addressOf(e)] as const;
    backend.compute(size, 'select', ...operands, address, size);
    return info;
  },
};

export const binaryKernels: readonly OwnKernel[] = [
  ...Object.entries(ARITHMETIC).map(([name, kind]) => ({
    name,
    compute: (call: KernelCall) => pairwise(call, 'binary', kind),
  })),
  ...Object.entries(COMPARISONS).map(([name, kind]) => ({
    name,
    compute: (call: KernelCall) => pairwise(call, 'compare', kind),
  })),
  addN,
  select,
];
