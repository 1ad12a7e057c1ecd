import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dropout } from '#workers/tensor/operations/dropout.ts';
import { wassersteinAttention } from '#workers/tensor/operations/wassersteinAttention.ts';
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

interface Case {
  readonly layout: SequenceLayout;
  /** d, half of what a row has. */
  readonly columns: number;
  readonly heads: number;
  readonly dropout: Dropout | null;
}

const SMALL = sequenceLayout([3, 1, 6, 2], 7);
const MIXED = sequenceLayout([1, 9, 25, 4, 8, 5, 17, 1, 12], 30);
const DROP: Dropout = { rate: 0.3, seed: 11, step: 2, site: 5 };
const CASES: Case[] = [
  { layout: SMALL, columns: 6, heads: 2, dropout: null },
  { layout: SMALL, columns: 5, heads: 1, dropout: null },
  { layout: SMALL, columns: 15, heads: 3, dropout: DROP },
  { layout: MIXED, columns: 20, heads: 2, dropout: null },
  { layout: MIXED, columns: 64, heads: 4, dropout: DROP },
];

const operands = ({ layout, columns }: Case) =>
  ['query', 'key', 'value'].map((name) => normalOperand(name, [layout.tokens, 2 * columns]));

function compute(given: Case): ValueAndGradients {
  return valueAndGradients(operands(given), (inputs) => {
    const [query, key, value] = inputs as [tf.Tensor2D, tf.Tensor2D, tf.Tensor2D];
    return wassersteinAttention({ query, key, value, ...given });
  });
}

function computeReference(given: Case): ValueAndGradients {
  tf.setBackend('cpu');
  return compute(given);
}

/** As STOSA's paper writes it, distance by distance, in float64. */
function plainAttention({ layout, columns, heads }: Case, [query, key, value]: Float64Array[]): Float64Array {
  const width = columns / heads;
  const result = new Float64Array(query!.length);
  const place = (row: number, half: number, column: number) => row * 2 * columns + half * columns + column;
  for (let s = 0; s < layout.sequences; s++) {
    for (let head = 0; head < heads; head++) {
      const own = Array.from({ length: width }, (_, c) => head * width + c);
      for (let t = layout.offsets[s]!; t < layout.offsets[s + 1]!; t++) {
        const keys = Array.from({ length: t + 1 - layout.offsets[s]! }, (_, j) => layout.offsets[s]! + j);
        const raw = keys.map((j) => {
          let distance = 0;
          for (const half of [0, 1]) {
            for (const c of own) distance += (query![place(t, half, c)]! - key![place(j, half, c)]!) ** 2;
          }
          return Math.exp(-distance / Math.sqrt(width));
        });
        const sum = raw.reduce((all, weight) => all + weight, 0);
        for (const c of own) {
          for (const [at, j] of keys.entries()) {
            const weight = raw[at]! / sum;
            result[place(t, 0, c)]! += weight * value![place(j, 0, c)]!;
            result[place(t, 1, c)]! += weight ** 2 * value![place(j, 1, c)]!;
          }
        }
      }
    }
  }
  return result;
}

const title = ({ layout, columns, heads, dropout }: Case) =>
  `${layout.sequences} sequences, ${columns} columns, ${heads} heads${dropout ? ', dropout' : ''}`;

describe.each(WASM_WAYS)('Wasserstein attention on wasm: $label', ({ arithmetic, threads }) => {
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
      expect(compute(given)).toEqual(found);
    },
  );
});

describe('Wasserstein attention out of tfjs operations', () => {
  test.each(CASES.filter(({ dropout }) => !dropout).map((given) => [title(given), given] as const))(
    'equals the distances taken one by one: %s',
    (_, given) => {
      const found = computeReference(given);
      const inputs = operands(given);
      const reference = (numbers: Float64Array[]) => plainAttention(given, numbers);
      const expected = reference(inputs.map(({ values }) => Float64Array.from(values)));
      expect(worstDifference(found.value, expected)).toBeLessThan(3e-6);
      if (given.layout !== SMALL) return;
      for (const [i, gradient] of finiteDifferences(inputs, reference).entries()) {
        expect(worstDifference(found.gradients[i]!, gradient)).toBeLessThan(3e-5);
      }
    },
  );

  test('refuses heads that do not divide the columns', () => {
    const rows = tf.zeros<tf.Rank.R2>([12, 8]);
    const given = { query: rows, key: rows, value: rows, layout: SMALL, heads: 3, dropout: null };
    expect(() => wassersteinAttention(given)).toThrow(
      'wassersteinAttention: 3 heads for 4 columns; expected a divisor',
    );
    rows.dispose();
  });
});
