import type { ElmanActivation } from '#workers/tensor/operations/elmanActivation.ts';
import { composedElman, elman } from '#workers/tensor/operations/elman.ts';
import { composedGru, gru } from '#workers/tensor/operations/gru.ts';
import { composedLstm, lstm } from '#workers/tensor/operations/lstm.ts';
import { type SequenceLayout, sequenceLayout } from '#workers/tensor/sequenceLayout.ts';
import type { tf } from '#workers/tensor/tf.ts';
import type { OperationCase } from './operationCase.ts';
import { type PlainTensor, plain } from './plainTensor.ts';

interface Sizes {
  lengths: readonly number[];
  inputs: number;
  width: number;
}

/** Single tokens, equal lengths, one sequence, and widths that fill no vector or panel. */
const SIZES: readonly Sizes[] = [
  { lengths: [1], inputs: 1, width: 1 },
  { lengths: [3, 1, 4, 4, 1], inputs: 3, width: 5 },
  { lengths: [2, 2, 7, 1, 3, 2], inputs: 4, width: 12 },
];

/** x W, by rows of a plain matrix from `first`. */
function timesPlain(row: ArrayLike<number>, { values }: PlainTensor, columns: number, first = 0): number[] {
  const result = new Array<number>(columns).fill(0);
  for (let i = 0; i < row.length; i++) {
    for (let j = 0; j < columns; j++) result[j]! += row[i]! * values[first + i * columns + j]!;
  }
  return result;
}

/** Walks every sequence of the layout: `step` gives the state after a token, of all that came before. */
function walkPlain(
  layout: SequenceLayout,
  width: number,
  initial: PlainTensor | undefined,
  step: (row: number, before: number[], t: number) => number[],
): PlainTensor {
  const states: number[] = [];
  for (let s = 0; s < layout.sequences; s++) {
    let state = initial ? [...initial.values.slice(s * width, (s + 1) * width)] : new Array<number>(width).fill(0);
    for (let row = layout.offsets[s]!; row < layout.offsets[s + 1]!; row++) {
      state = step(row, state, row - layout.offsets[s]!);
      states.push(...state);
    }
  }
  let at = 0;
  return plain([layout.tokens, width], () => states[at++]!);
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

function gruCase({ lengths, inputs, width }: Sizes, whole: boolean, compute: typeof gru): OperationCase {
  const layout = sequenceLayout(lengths);
  const shapes = [
    [layout.tokens, inputs],
    [inputs, 3 * width],
    [width, 3 * width],
  ];
  return {
    name: `${compute.name} [${lengths}] ${inputs} to ${width}${whole ? ' with biases and initial states' : ''}`,
    shapes: whole ? [...shapes, [3 * width], [3 * width], [layout.sequences, width]] : shapes,
    range: [-1, 1],
    terms: 10 * width,
    compute: (x, inputWeight, hiddenWeight, inputBias, hiddenBias, initial) =>
      compute(x as tf.Tensor2D, layout, {
        inputWeight: inputWeight as tf.Tensor2D,
        hiddenWeight: hiddenWeight as tf.Tensor2D,
        inputBias: inputBias as tf.Tensor1D | undefined,
        hiddenBias: hiddenBias as tf.Tensor1D | undefined,
        initial: initial as tf.Tensor2D | undefined,
      }),
    reference: (x, inputWeight, hiddenWeight, inputBias, hiddenBias, initial) =>
      walkPlain(layout, width, initial, (row, before) => {
        const input = timesPlain(x!.values.slice(row * inputs, (row + 1) * inputs), inputWeight!, 3 * width);
        const hidden = timesPlain(before, hiddenWeight!, 3 * width);
        const i = (j: number) => input[j]! + (inputBias?.values[j] ?? 0);
        const h = (j: number) => hidden[j]! + (hiddenBias?.values[j] ?? 0);
        return before.map((kept, j) => {
          const reset = sigmoid(i(j) + h(j));
          const update = sigmoid(i(width + j) + h(width + j));
          const next = Math.tanh(i(2 * width + j) + reset * h(2 * width + j));
          return (1 - update) * next + update * kept;
        });
      }),
  };
}

/** By its series, right to double precision for the small arguments here. */
function erfPlain(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

const ACTIVATIONS: Readonly<Record<ElmanActivation, (x: number) => number>> = {
  tanh: Math.tanh,
  relu: (x) => Math.max(0, x),
  erf: erfPlain,
};

function elmanCase(
  { lengths, inputs, width }: Sizes,
  { activation, steps, compute }: { activation: ElmanActivation; steps: number | null; compute: typeof elman },
): OperationCase {
  const layout = sequenceLayout(lengths);
  const untied = steps === null ? [] : [steps];
  return {
    name: `${compute.name} ${activation} [${lengths}] ${inputs} to ${width}${steps === null ? '' : ', untied'}`,
    shapes: [
      [layout.tokens, inputs],
      [...untied, inputs, width],
      [...untied, width, width],
      [width],
      [layout.sequences, width],
    ],
    range: [-0.5, 0.5],
    terms: 10 * width,
    compute: (x, inputWeight, hiddenWeight, bias, initial) =>
      compute(x as tf.Tensor2D, layout, {
        inputWeight: inputWeight as tf.Tensor2D | tf.Tensor3D,
        hiddenWeight: hiddenWeight as tf.Tensor2D | tf.Tensor3D,
        bias: bias as tf.Tensor1D,
        initial: initial as tf.Tensor2D,
        activation,
      }),
    reference: (x, inputWeight, hiddenWeight, bias, initial) =>
      walkPlain(layout, width, initial, (row, before, t) => {
        const own = x!.values.slice(row * inputs, (row + 1) * inputs);
        const place = steps === null ? 0 : t;
        const input = timesPlain(own, inputWeight!, width, place * inputs * width);
        const hidden = timesPlain(before, hiddenWeight!, width, place * width * width);
        return input.map((value, j) => ACTIVATIONS[activation](value + hidden[j]! + bias!.values[j]!));
      }),
  };
}

/** No input weights: what the inputs add is the input. */
function projectedElmanCase({ lengths, width }: Sizes, compute: typeof elman): OperationCase {
  const layout = sequenceLayout(lengths);
  return {
    name: `${compute.name} relu [${lengths}] to ${width}, inputs projected already`,
    shapes: [[layout.tokens, width], [width, width], [width]],
    range: [-0.5, 0.5],
    terms: 10 * width,
    compute: (x, hiddenWeight, bias) =>
      compute(x as tf.Tensor2D, layout, {
        inputWeight: null,
        hiddenWeight: hiddenWeight as tf.Tensor2D,
        bias: bias as tf.Tensor1D,
        activation: 'relu',
      }),
    reference: (x, hiddenWeight, bias) =>
      walkPlain(layout, width, undefined, (row, before) => {
        const hidden = timesPlain(before, hiddenWeight!, width);
        return hidden.map((value, j) => Math.max(0, x!.values[row * width + j]! + value + bias!.values[j]!));
      }),
  };
}

function lstmCase({ lengths, inputs, width }: Sizes, projects: boolean, compute: typeof lstm): OperationCase {
  const layout = sequenceLayout(lengths);
  return {
    name: `${compute.name} [${lengths}] ${projects ? `${inputs} ` : ''}to ${width}${projects ? '' : ', inputs projected already'}`,
    shapes: projects
      ? [[width, 4 * width], [layout.tokens, inputs], [inputs, 4 * width], [4 * width]]
      : [
          [width, 4 * width],
          [layout.tokens, 4 * width],
        ],
    range: [-1, 1],
    terms: 10 * width,
    compute: (hiddenWeight, x, inputWeight, bias) =>
      compute(x as tf.Tensor2D, layout, {
        inputWeight: (inputWeight as tf.Tensor2D | undefined) ?? null,
        hiddenWeight: hiddenWeight as tf.Tensor2D,
        bias: bias as tf.Tensor1D | undefined,
      }),
    reference: (hiddenWeight, x, inputWeight, bias) => {
      let cell: number[] = [];
      return walkPlain(layout, width, undefined, (row, before, t) => {
        if (t === 0) cell = before.map(() => 0);
        const columns = inputWeight ? inputs : 4 * width;
        const own = x!.values.slice(row * columns, (row + 1) * columns);
        const added = inputWeight ? timesPlain(own, inputWeight, 4 * width) : [...own];
        const hidden = timesPlain(before, hiddenWeight!, 4 * width);
        const s = (block: number, j: number) =>
          added[block * width + j]! + hidden[block * width + j]! + (bias?.values[block * width + j] ?? 0);
        cell = cell.map((kept, j) => sigmoid(s(1, j)) * kept + sigmoid(s(0, j)) * Math.tanh(s(2, j)));
        return cell.map((value, j) => sigmoid(s(3, j)) * Math.tanh(value));
      });
    },
  };
}

export const RECURRENT_CASES: readonly OperationCase[] = [
  ...SIZES.flatMap((sizes) => [gruCase(sizes, false, gru), gruCase(sizes, true, gru)]),
  gruCase(SIZES[1]!, true, composedGru),
  ...SIZES.flatMap((sizes) => [lstmCase(sizes, true, lstm), lstmCase(sizes, false, lstm)]),
  lstmCase(SIZES[1]!, true, composedLstm),
  ...(['tanh', 'relu', 'erf'] as const).flatMap((activation) => [
    ...SIZES.map((sizes) => elmanCase(sizes, { activation, steps: null, compute: elman })),
    elmanCase(SIZES[1]!, { activation, steps: 6, compute: elman }),
  ]),
  elmanCase(SIZES[1]!, { activation: 'erf', steps: 6, compute: composedElman }),
  projectedElmanCase(SIZES[1]!, elman),
  projectedElmanCase(SIZES[1]!, composedElman),
];
