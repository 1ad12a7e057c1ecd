import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Activation, activation } from '#workers/tensor/operations/activation.ts';
import { type Dropout, dropout } from '#workers/tensor/operations/dropout.ts';
import { layerNorm } from '#workers/tensor/operations/layerNorm.ts';
import { linear } from '#workers/tensor/operations/linear.ts';
import { residualDropout } from '#workers/tensor/operations/residualDropout.ts';
import { tf } from '#workers/tensor/tf.ts';
import { type OpenWasmBackend, openWasmBackend } from '#workers/tensor/wasm/openWasmBackend.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { WASM_WAYS } from './backends.ts';
import {
  finiteDifferences,
  normalOperand,
  type Operand,
  outputWeight,
  valueAndGradients,
  worstDifference,
  worstOfAll,
} from './gradientCase.ts';

interface Case {
  readonly title: string;
  readonly operands: readonly Operand[];
  readonly operation: (inputs: tf.Tensor[]) => tf.Tensor;
  /** The same in float64. */
  readonly reference: (inputs: Float64Array[]) => ArrayLike<number>;
}

const DROP: Dropout = { rate: 0.4, seed: 2 ** 40 + 3, step: 17, site: 1 };

/** (2/√π) e^(-x²) Σ 2ⁿ x^(2n+1) / (2n+1)!!: no term cancels another, so that float64 sums it well. */
function errorFunction(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 300; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

const FORMULAS: Record<Activation, (x: number) => number> = {
  relu: (x) => Math.max(x, 0),
  'leaky-relu': (x) => Math.max(x, x / 5),
  gelu: (x) => (x / 2) * (1 + errorFunction(x / Math.SQRT2)),
  'gelu-tanh': (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  elu: (x) => (x > 0 ? x : Math.expm1(x)),
  variance: (x) => (x > 0 ? x + 1 : Math.exp(x)),
  deviation: (x) => Math.sqrt(x > 0 ? x + 1 : Math.exp(x)),
};

function product([x, weight, bias]: Float64Array[], inner: number, columns: number): Float64Array {
  return Float64Array.from({ length: (x!.length / inner) * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    let sum = bias?.[column] ?? 0;
    for (let k = 0; k < inner; k++) sum += x![row * inner + k]! * weight![k * columns + column]!;
    return sum;
  });
}

function normalised([x, gain, bias]: Float64Array[], epsilon: number): Float64Array {
  const columns = gain!.length;
  return x!.map((number, at) => {
    const row = x!.subarray(at - (at % columns), at - (at % columns) + columns);
    const mean = row.reduce((sum, entry) => sum + entry, 0) / columns;
    const variance = row.reduce((sum, entry) => sum + (entry - mean) ** 2, 0) / columns;
    return ((number - mean) / Math.sqrt(variance + epsilon)) * gain![at % columns]! + bias![at % columns]!;
  });
}

function activations(): Case[] {
  return (['relu', 'leaky-relu', 'gelu', 'gelu-tanh', 'elu', 'variance', 'deviation'] as const).map((kind) => ({
    title: kind,
    operands: [normalOperand(kind, [7, 11])],
    operation: ([x]) => activation(x!, kind),
    reference: ([x]) => x!.map(FORMULAS[kind]),
  }));
}

function linears(): Case[] {
  return ([null, 'relu', 'gelu'] as const).flatMap((kind) =>
    [true, false].map((biased) => ({
      title: `linear${biased ? ' with bias' : ''}, ${kind ?? 'nothing'} after`,
      operands: [normalOperand('x', [9, 5]), normalOperand('w', [5, 7]), ...(biased ? [normalOperand('b', [7])] : [])],
      operation: ([x, weight, bias]: tf.Tensor[]) =>
        linear(x as tf.Tensor2D, weight as tf.Tensor2D, (bias as tf.Tensor1D) ?? null, kind),
      reference: (inputs: Float64Array[]) => product(inputs, 5, 7).map(kind ? FORMULAS[kind] : (value) => value),
    })),
  );
}

function layerNorms(): Case[] {
  return [3, 8, 13].map((columns) => ({
    title: `layerNorm of ${columns} columns`,
    operands: [normalOperand('x', [6, columns]), normalOperand('gain', [columns]), normalOperand('bias', [columns])],
    operation: ([x, gain, bias]) => layerNorm(x as tf.Tensor2D, gain as tf.Tensor1D, bias as tf.Tensor1D, 1e-8),
    reference: (inputs) => normalised(inputs, 1e-8),
  }));
}

const CASES: Case[] = [...activations(), ...linears(), ...layerNorms()];

const DROPPING: Omit<Case, 'reference'>[] = [
  { title: 'dropout', operands: [normalOperand('x', [13, 9])], operation: ([x]) => dropout(x!, DROP) },
  {
    title: 'residualDropout',
    operands: [normalOperand('x', [13, 9]), normalOperand('y', [13, 9])],
    operation: ([x, y]) => residualDropout(x!, y!, DROP),
  },
  {
    title: 'a value that is used twice',
    operands: [normalOperand('x', [13, 9])],
    operation: ([x]) => residualDropout(x!, tf.add(x!, dropout(x!, DROP)), { ...DROP, site: 2 }),
  },
  {
    title: 'layerNorm of many rows',
    operands: [normalOperand('x', [600, 64]), normalOperand('gain', [64]), normalOperand('bias', [64])],
    operation: ([x, gain, bias]) => layerNorm(x as tf.Tensor2D, gain as tf.Tensor1D, bias as tf.Tensor1D, 1e-5),
  },
];

describe('operations of transformers out of tfjs operations', () => {
  test.each(CASES.map((given) => [given.title, given] as const))(
    'equal float64 reference implementations and their finite differences: %s',
    (_, { operands, operation, reference }) => {
      tf.setBackend('cpu');
      const found = valueAndGradients(operands, operation);
      expect(
        worstDifference(found.value, reference(operands.map(({ values }) => Float64Array.from(values)))),
      ).toBeLessThan(2e-6);
      for (const [i, gradient] of finiteDifferences(operands, reference).entries()) {
        expect(worstDifference(found.gradients[i]!, gradient)).toBeLessThan(1e-5);
      }
    },
  );
});

describe.each(WASM_WAYS)('operations of transformers on wasm: $label', ({ arithmetic, threads }) => {
  let open: OpenWasmBackend;
  beforeAll(async () => {
    setArithmetic(arithmetic);
    open = await openWasmBackend(threads);
  });
  afterAll(() => open.close());

  test.each([...CASES, ...DROPPING].map((given) => [given.title, given] as const))(
    'equal their reference implementations: %s',
    (_, { operands, operation }) => {
      tf.setBackend('cpu');
      const expected = valueAndGradients(operands, operation);
      tf.setBackend('wasm');
      const found = valueAndGradients(operands, operation);
      expect(worstOfAll(found, expected)).toBeLessThan(1e-5);
      expect(valueAndGradients(operands, operation)).toEqual(found);
    },
  );
});

describe('dropout', () => {
  const ones = () => tf.ones([100, 1000]);

  test('keeps about 1 - rate of the elements, and scales them', () => {
    tf.setBackend('cpu');
    const kept = tf.tidy(() => dropout(ones(), DROP).dataSync());
    expect(new Set(kept)).toEqual(new Set([0, Math.fround(1 / 0.6)]));
    // Binomial: 100,000 draws of probability 0.6 have a deviation of 155.
    expect(Math.abs(kept.filter((value) => value > 0).length - 60_000)).toBeLessThan(5 * 155);
  });

  test('draws other elements at another seed, step or site', () => {
    const mask = (drop: Dropout) => tf.tidy(() => dropout(ones(), drop).dataSync());
    const first = mask(DROP);
    for (const other of [{ seed: 4 }, { step: 18 }, { site: 2 }]) {
      const second = mask({ ...DROP, ...other });
      const both = first.filter((value, i) => value > 0 && second[i]! > 0).length;
      // Independent draws keep 0.36 of the elements in both; the deviation of 100,000 is 152.
      expect(Math.abs(both - 36_000)).toBeLessThan(5 * 152);
    }
  });

  test('of rate 0 is its input; a rate of 1 is refused', () => {
    const x = tf.ones([2]);
    expect(dropout(x, { ...DROP, rate: 0 })).toBe(x);
    expect(dropout(x, null)).toBe(x);
    expect(() => dropout(x, { ...DROP, rate: 1 })).toThrow('dropout: rate 1; expected a number from 0 to below 1');
    x.dispose();
  });
});

test('gradients are weighted as the loss of these tests says', () => {
  tf.setBackend('cpu');
  const { gradients } = valueAndGradients([normalOperand('x', [3])], ([x]) => tf.mul(x!, 2));
  expect(
    worstDifference(
      gradients[0]!,
      [0, 1, 2].map((i) => 2 * outputWeight(i)),
    ),
  ).toBeLessThan(1e-6);
});

test('inputs without rows, or of shapes that do not fit, are refused', () => {
  tf.setBackend('cpu');
  const [empty, weight] = [tf.zeros<tf.Rank.R2>([0, 4]), tf.zeros<tf.Rank.R2>([4, 3])];
  expect(() => linear(empty, weight, null)).toThrow('linear: x has shape [0, 4]; expected [at least 1, at least 1]');
  expect(() => linear(weight, weight, null)).toThrow('linear: weight has shape [4, 3]; expected [3, at least 1]');
  expect(() => activation(empty, 'gelu')).toThrow('expected at least one element');
  tf.dispose([empty, weight]);
});
