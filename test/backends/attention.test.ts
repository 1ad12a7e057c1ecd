import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { causalAttention } from '#workers/tensor/operations/causalAttention.ts';
import type { Dropout } from '#workers/tensor/operations/dropout.ts';
import { type SequenceLayout, sequenceLayout } from '#workers/tensor/sequenceLayout.ts';
import { tf } from '#workers/tensor/tf.ts';
import { type OpenWasmBackend, openWasmBackend } from '#workers/tensor/wasm/openWasmBackend.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { WASM_WAYS } from './backends.ts';
import {
  finiteDifferences,
  normalOperand,
  type ValueAndGradients,
  valueAndGradients,
  worstDifference,
  worstOfAll,
} from './gradientCase.ts';
import { paddedAttention } from './paddedAttention.ts';

interface Case {
  readonly layout: SequenceLayout;
  readonly columns: number;
  readonly heads: number;
  readonly causal: boolean;
  readonly pads: boolean;
  readonly dropout: Dropout | null;
}

const SMALL = sequenceLayout([3, 1, 6, 2], 7);
const MIXED = sequenceLayout([1, 9, 25, 4, 8, 5, 30, 1, 12], 30);
const DROP: Dropout = { rate: 0.3, seed: 11, step: 2, site: 5 };
const CASES: Case[] = [];
for (const causal of [true, false]) {
  for (const pads of [false, true]) {
    CASES.push({ layout: SMALL, columns: 6, heads: 2, causal, pads, dropout: null });
    CASES.push({ layout: MIXED, columns: 20, heads: 2, causal, pads, dropout: null });
    CASES.push({ layout: MIXED, columns: 64, heads: 1, causal, pads, dropout: DROP });
    CASES.push({ layout: SMALL, columns: 15, heads: 3, causal, pads, dropout: DROP });
  }
}

function operands({ layout, columns, pads }: Case) {
  const packed = [layout.tokens, columns];
  const all = ['query', 'key', 'value'].map((name) => normalOperand(name, packed));
  return pads ? [...all, normalOperand('padKey', [columns]), normalOperand('padValue', [columns])] : all;
}

function compute({ layout, heads, causal, dropout, pads, ...rest }: Case) {
  return valueAndGradients(operands({ layout, heads, causal, dropout, pads, ...rest }), (inputs) => {
    const [query, key, value] = inputs as tf.Tensor2D[];
    const [padKey, padValue] = inputs.slice(3) as tf.Tensor1D[];
    const given = { query: query!, key: key!, value: value!, layout, heads, causal, dropout };
    return causalAttention(pads ? { ...given, pads: { key: padKey!, value: padValue! } } : given);
  });
}

const references = new Map<Case, ValueAndGradients>();

/** The composed form on the plain backend, once a case. */
function computeReference(given: Case): ValueAndGradients {
  tf.setBackend('cpu');
  const found = references.get(given) ?? compute(given);
  references.set(given, found);
  return found;
}

const title = ({ layout, columns, heads, causal, pads, dropout }: Case) =>
  `${layout.sequences} sequences, ${columns} columns, ${heads} heads${causal ? ', causal' : ''}${pads ? ', pads' : ''}${dropout ? ', dropout' : ''}`;

/** Results on one thread, by the arithmetic and the case. */
const onOneThread = new Map<string, ValueAndGradients>();

describe.each(WASM_WAYS)('attention on wasm: $label', ({ arithmetic, threads }) => {
  let open: OpenWasmBackend;
  beforeAll(async () => {
    setArithmetic(arithmetic);
    open = await openWasmBackend(threads);
  });
  afterAll(() => open.close());

  test.each(CASES.map((given) => [title(given), given] as const))(
    'equals its reference implementation: %s',
    (_, given) => {
      const expected = computeReference(given);
      tf.setBackend('wasm');
      const found = compute(given);
      expect(worstOfAll(found, expected)).toBeLessThan(1e-5);
      // Only the gradients of the pads are summed over threads.
      const key = `${arithmetic}: ${title(given)}`;
      const alone = onOneThread.get(key) ?? found;
      expect([found.value, ...found.gradients.slice(0, 3)]).toEqual([alone.value, ...alone.gradients.slice(0, 3)]);
      if (threads === 1) onOneThread.set(key, found);
    },
  );

  test('drops pads one by one: the mean over many draws is the value without dropout', () => {
    const given: Case = { layout: SMALL, columns: 6, heads: 2, causal: true, pads: true, dropout: null };
    const expected = compute(given).value;
    const [query, key, value, padKey, padValue] = operands(given).map(({ values, shape }) =>
      tf.tensor(values, [...shape] as [number, number]),
    ) as [tf.Tensor2D, tf.Tensor2D, tf.Tensor2D, tf.Tensor1D, tf.Tensor1D];
    const pads = { key: padKey, value: padValue };
    const mean = new Float64Array(expected.length);
    const draws = 4000;
    for (let step = 0; step < draws; step++) {
      const output = causalAttention({ query, key, value, ...given, dropout: { ...DROP, step }, pads });
      for (const [i, number] of output.dataSync().entries()) mean[i]! += number / draws;
      output.dispose();
    }
    tf.dispose([query, key, value, padKey, padValue]);
    // The deviation of a mean of 4000 draws is near 0.01; ten times the tokens' worst.
    expect(worstDifference(mean, expected)).toBeLessThan(0.05);
  });

  test('gives the same bits twice', () => {
    expect(compute(CASES.at(-2)!)).toEqual(compute(CASES.at(-2)!));
  });
});

describe('attention out of tfjs operations', () => {
  test.each(CASES.filter(({ dropout }) => !dropout).map((given) => [title(given), given] as const))(
    'equals attention over padded sequences: %s',
    (_, given) => {
      const found = computeReference(given);
      const reference = (inputs: Float64Array[]) => paddedAttention(given, inputs);
      const inputs = operands(given);
      expect(
        worstDifference(found.value, reference(inputs.map(({ values }) => Float64Array.from(values)))),
      ).toBeLessThan(1e-6);
      if (given.layout !== SMALL) return;
      for (const [i, gradient] of finiteDifferences(inputs, reference).entries()) {
        expect(worstDifference(found.gradients[i]!, gradient)).toBeLessThan(1e-5);
      }
    },
  );
});

describe('attention refuses', () => {
  const zeros = (rows: number, columns: number) => tf.zeros<tf.Rank.R2>([rows, columns]);
  const base = { layout: SMALL, heads: 1, causal: true, dropout: null };
  test('an empty batch and an empty sequence', () => {
    expect(() => sequenceLayout([])).toThrow('a batch of no sequences');
    expect(() => sequenceLayout([2, 0])).toThrow(
      'sequence 1 of the batch has length 0; expected a whole number from 1',
    );
    expect(() => sequenceLayout([2, 5], 4)).toThrow('padded length 4; expected a whole number from 5');
  });
  test('shapes that do not fit the layout', () => {
    const [right, wrong] = [zeros(12, 4), zeros(11, 4)];
    expect(() => causalAttention({ ...base, query: right, key: wrong, value: right })).toThrow(
      'causalAttention: key has shape [11, 4]; expected [12, 4]',
    );
    expect(() => causalAttention({ ...base, heads: 3, query: right, key: right, value: right })).toThrow(
      '3 heads for 4 columns',
    );
    tf.dispose([right, wrong]);
  });
});
