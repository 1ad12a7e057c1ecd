// Compiled form of workers/tensor/operations/signNoise.ts.
import { counterBits } from './counterRandom';
import { partStart } from './lanes';

const UNIT: f32 = 2.3283064365386963e-10;

/** y = x + size · sign(x) ⊙ u / |u| in each row, u uniform from the bits of its elements under the key (a, b). */
export function signNoise(
  lane: i32, lanes: i32, x: usize, y: usize, rows: i32, columns: i32, a: u32, b: u32, size: f32,
): void {
  const last = partStart(rows, lane + 1, lanes, 1);
  for (let row = partStart(rows, lane, lanes, 1); row < last; row++) {
    const first = <u32>row * <u32>columns;
    const bytes = <usize>first << 2;
    let squares: f32 = 0;
    for (let c = 0; c < columns; c++) {
      const u = <f32>counterBits(a, b, first + c) * UNIT;
      squares += u * u;
      store<f32>(y + bytes + (<usize>c << 2), u);
    }
    const scale: f32 = squares > 0 ? size / sqrt<f32>(squares) : 0;
    for (let c = 0; c < columns; c++) {
      const at = bytes + (<usize>c << 2);
      const value = load<f32>(x + at);
      const shift = scale * load<f32>(y + at);
      store<f32>(y + at, value > 0 ? value + shift : value < 0 ? value - shift : value);
    }
  }
}
