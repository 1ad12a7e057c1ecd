import { erf4 } from './floatMath';
import { partStart } from './lanes';

/** y = erf(x) of `count` floats; a kernel of its own, since among the loops of `unary` it makes V8 keep their constants in memory. */
export function errorFunction(lane: i32, lanes: i32, x: usize, y: usize, count: i32): void {
  const start = <usize>partStart(count, lane, lanes, 16) << 2;
  const end = x + (<usize>partStart(count, lane + 1, lanes, 16) << 2);
  y += start;
  for (let at = x + start; at < end; at += 16, y += 16) v128.store(y, erf4(v128.load(at)));
}
