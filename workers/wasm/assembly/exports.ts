import { arcCosine2 } from './arcCosine';

export { arcCosine } from './arcCosine';

/** Inverse cosines of the two doubles at `from`, written to `to`. */
export function arcCosine2Into(from: usize, to: usize): void {
  v128.store(to, arcCosine2(v128.load(from)));
}

export { polarAngle2Into } from './polarAngle';
