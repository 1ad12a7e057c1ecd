// Functions that the kernels inline, compiled by themselves so that a test can call them.
import { arcCosine2 } from '../../../../workers/wasm/assembly/arcCosine';
import { polarAngle2 } from '../../../../workers/wasm/assembly/polarAngle';

export { arcCosine } from '../../../../workers/wasm/assembly/arcCosine';

/** Inverse cosines of the two doubles at `from`, written to `to`. */
export function arcCosine2Into(from: usize, to: usize): void {
  v128.store(to, arcCosine2(v128.load(from)));
}

/** Angles of two points, whose x are the doubles at `from` and whose y follow them, written to `to`. */
export function polarAngle2Into(from: usize, to: usize): void {
  v128.store(to, polarAngle2(v128.load(from), v128.load(from + 16)));
}
