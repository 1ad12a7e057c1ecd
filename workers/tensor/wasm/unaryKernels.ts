import * as operation from '#workers/wasm/fields/elementwiseFields.ts';
import { input, isFloat, type OwnKernel, sizeOf } from './ownKernel.ts';

/** tfjs's names of functions of one float. */
const KINDS: Readonly<Record<string, number>> = {
  Neg: operation.NEGATE,
  Exp: operation.EXPONENTIAL,
  Log: operation.LOGARITHM,
  Sqrt: operation.SQUARE_ROOT,
  Rsqrt: operation.RECIPROCAL_SQUARE_ROOT,
  Square: operation.SQUARE,
  Tanh: operation.TANH,
  Sigmoid: operation.SIGMOID,
  Relu: operation.RELU,
  Step: operation.STEP,
  Abs: operation.ABSOLUTE,
  Reciprocal: operation.RECIPROCAL,
  Softplus: operation.SOFTPLUS,
};

/** An element costs about so much more than an addition. */
const COST = 4;

const errorFunction: OwnKernel = {
  name: 'Erf',
  compute(call) {
    const x = input(call, 'x');
    if (!isFloat(x)) return null;
    const { backend } = call;
    const size = sizeOf(x.shape);
    const { info, address } = backend.allocate(x.shape, 'float32');
    backend.compute(COST * size, 'errorFunction', backend.addressOf(x), address, size);
    return info;
  },
};

export const unaryKernels: readonly OwnKernel[] = [
  errorFunction,
  ...Object.entries(KINDS).map(
    ([name, kind]): OwnKernel => ({
      name,
      compute(call) {
        const x = input(call, 'x');
        if (!isFloat(x)) return null;
        const { backend, attributes } = call;
        const size = sizeOf(x.shape);
        const { info, address } = backend.allocate(x.shape, 'float32');
        const below = kind === operation.STEP && typeof attributes.alpha === 'number' ? attributes.alpha : 0;
        backend.compute(COST * size, 'unary', kind, backend.addressOf(x), address, size, below);
        return info;
      },
    }),
  ),
];
