import { type BackendCheck, normalNumbers, normalTensor } from './backendCheck.ts';
import { adamUpdate } from '../operations/adamUpdate.ts';
import { sgdUpdate } from '../operations/sgdUpdate.ts';
import { tf } from '../tf.ts';

const COUNT = 301;
const STEPS = 5;
const RATE = 0.01;
const BETA1 = 0.9;
const BETA2 = 0.98;
const EPSILON = 1e-8;
const DECAY = 0.1;
const MOMENTUM = 0.8;

/** Five steps in place from a parameter of seed 51, with gradients of seeds 60 to 64. */
function trained(update: (parameter: tf.Variable, gradient: tf.Tensor, step: number) => void): tf.Tensor[] {
  const parameter = tf.variable(normalTensor([COUNT], 51));
  for (let step = 1; step <= STEPS; step++) {
    const gradient = normalTensor([COUNT], 59 + step);
    update(parameter, gradient, step);
    gradient.dispose();
  }
  const result = tf.clone<tf.Tensor>(parameter);
  parameter.dispose();
  return [result];
}

/** The float64 reference implementation: `update` gives each parameter from itself, its gradient and the step, with memory of its own. */
function reference(
  update: (memory: Float64Array, at: { p: number; g: number; step: number }) => number,
): Float64Array[] {
  const parameter = Float64Array.from(normalNumbers(COUNT, 51));
  const memories = Array.from({ length: COUNT }, () => new Float64Array(2));
  for (let step = 1; step <= STEPS; step++) {
    const gradient = normalNumbers(COUNT, 59 + step);
    for (let i = 0; i < COUNT; i++) parameter[i] = update(memories[i]!, { p: parameter[i]!, g: gradient[i]!, step });
  }
  return [parameter];
}

function adam(name: string, decoupled: boolean): BackendCheck {
  return {
    name,
    tolerance: 2e-6,
    compute: () => {
      const slots = { first: tf.variable(tf.zeros([COUNT])), second: tf.variable(tf.zeros([COUNT])) };
      const options = {
        learningRate: RATE,
        beta1: BETA1,
        beta2: BETA2,
        epsilon: EPSILON,
        weightDecay: DECAY,
        decoupled,
      };
      const result = trained((parameter, gradient, step) =>
        adamUpdate(parameter, gradient, { ...options, step, slots }),
      );
      slots.first.dispose();
      slots.second.dispose();
      return result;
    },
    expected: () =>
      reference((memory, { p, g, step }) => {
        const slope = decoupled ? g : g + DECAY * p;
        memory[0] = BETA1 * memory[0]! + (1 - BETA1) * slope;
        memory[1] = BETA2 * memory[1]! + (1 - BETA2) * slope * slope;
        const root = Math.sqrt(memory[1] / (1 - BETA2 ** step)) + EPSILON;
        const kept = decoupled ? p * (1 - RATE * DECAY) : p;
        return kept - (RATE * memory[0]) / (1 - BETA1 ** step) / root;
      }),
  };
}

/** Optimizers in place, against PyTorch's formulas in float64. */
export const OPTIMIZER_CHECKS: readonly BackendCheck[] = [
  adam('Adam', false),
  adam('AdamW', true),
  {
    name: 'stochastic gradient descent with momentum',
    tolerance: 2e-6,
    compute: () => {
      const buffer = tf.variable(tf.zeros([COUNT]));
      const options = { learningRate: RATE, momentum: MOMENTUM, weightDecay: DECAY, buffer };
      const result = trained((parameter, gradient, step) => sgdUpdate(parameter, gradient, { ...options, step }));
      buffer.dispose();
      return result;
    },
    expected: () =>
      reference((memory, { p, g, step }) => {
        const slope = g + DECAY * p;
        memory[0] = step === 1 ? slope : MOMENTUM * memory[0]! + slope;
        return p - RATE * memory[0];
      }),
  },
];
