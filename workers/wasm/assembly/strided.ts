import { partStart } from './lanes';

/** Four floats of four rows `step` bytes apart, as four columns `toStep` bytes apart. */
@inline
function transpose4(from: usize, step: usize, to: usize, toStep: usize): void {
  const x0 = v128.load(from);
  const x1 = v128.load(from + step);
  const x2 = v128.load(from + 2 * step);
  const x3 = v128.load(from + 3 * step);
  const low01 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
  const low23 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
  const high23 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(low01, low23, 0, 2));
  v128.store(to + toStep, v128.shuffle<f64>(low01, low23, 1, 3));
  v128.store(to + 2 * toStep, v128.shuffle<f64>(high01, high23, 0, 2));
  v128.store(to + 3 * toStep, v128.shuffle<f64>(high01, high23, 1, 3));
}

/** to (batch, columns, rows) = x (batch, rows, columns) transposed, elements of 4 bytes. */
export function transposeMatrices(lane: i32, lanes: i32, x: usize, to: usize, batch: i32, rows: i32, columns: i32): void {
  const strips = (columns + 3) >> 2;
  const step = <usize>columns << 2;
  const toStep = <usize>rows << 2;
  const until = partStart(batch * strips, lane + 1, lanes, 1);
  for (let index = partStart(batch * strips, lane, lanes, 1); index < until; index++) {
    const item = index / strips;
    const column = (index - item * strips) << 2;
    const from = x + <usize>item * rows * step + (<usize>column << 2);
    const at = to + (<usize>item * columns + column) * toStep;
    const width = min(4, columns - column);
    const whole = width == 4 ? rows & ~3 : 0;
    for (let row = 0; row < whole; row += 4) transpose4(from + <usize>row * step, step, at + (<usize>row << 2), toStep);
    for (let row = whole; row < rows; row++) {
      for (let c = 0; c < width; c++) {
        i32.store(at + <usize>c * toStep + (<usize>row << 2), i32.load(from + <usize>row * step + (<usize>c << 2)));
      }
    }
  }
}

/**
 * to (d0, d1, d2, d3, d4), without gaps, from x with steps s0 to s4 in elements of 4 bytes: transposing, cutting, repeating
 * (a step of 0) and turning round (a negative one) are all this.
 */
export function stridedCopy(
  lane: i32, lanes: i32, x: usize, to: usize,
  d0: i32, d1: i32, d2: i32, d3: i32, d4: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32,
): void {
  const lines = d0 * d1 * d2 * d3;
  const bytes = <usize>d4 << 2;
  const until = partStart(lines, lane + 1, lanes, 1);
  for (let line = partStart(lines, lane, lanes, 1); line < until; line++) {
    let rest = line / d3;
    let offset = (line - rest * d3) * s3;
    let above = rest / d2;
    offset += (rest - above * d2) * s2;
    rest = above / d1;
    offset += (above - rest * d1) * s1 + rest * s0;
    let from = x + (<isize>offset << 2);
    let at = to + <usize>line * bytes;
    if (s4 == 1) memory.copy(at, from, bytes);
    else {
      const end = at + bytes;
      while (at < end) {
        i32.store(at, i32.load(from));
        from += <isize>s4 << 2;
        at += 4;
      }
    }
  }
}
