import { badInput } from '#src/contracts/errors.ts';

export interface WindowShape {
  /** Values that are known. */
  input: number;
  /** Values after them that are to be predicted. */
  target: number;
  /** Steps from one window to the next; raising it gives fewer windows. */
  stride: number;
}

/**
 * (windows) Where each window of a series starts: window i knows `values[start .. start + input)` and predicts the `target`
 * values after them, all inside `[from, to)`. Nothing is copied. Throws BAD_INPUT for sizes below 1.
 */
export function seriesWindows(
  range: { from: number; to: number },
  { input, target, stride }: WindowShape,
): Uint32Array {
  for (const [name, value] of Object.entries({ input, target, stride })) {
    if (!Number.isInteger(value) || value < 1)
      throw badInput(`windows: ${name} is ${value}, expected at least 1`, name);
  }
  const room = range.to - range.from - input - target;
  const count = room < 0 ? 0 : Math.floor(room / stride) + 1;
  return Uint32Array.from({ length: count }, (_, window) => range.from + window * stride);
}

/**
 * Windows to train on and windows to test on, of a series of `length` values: every value of a training window lies before
 * place floor(trainShare · length), every target of a test window from there on, so that no target is ever seen in
 * training; inputs of test windows may reach back.
 */
export function splitWindows(
  length: number,
  trainShare: number,
  shape: WindowShape,
): { train: Uint32Array; test: Uint32Array; cut: number } {
  const cut = Math.floor(length * trainShare + 1e-9);
  return {
    cut,
    train: seriesWindows({ from: 0, to: cut }, shape),
    test: seriesWindows({ from: Math.max(0, cut - shape.input), to: length }, shape),
  };
}
