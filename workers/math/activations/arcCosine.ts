const HALF_PI_HIGH = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;
const P0 = 0.16666666666666666;
const P1 = -0.3255658186224009;
const P2 = 0.20121253213486293;
const P3 = -0.04005553450067941;
const P4 = 0.0007915349942898145;
const P5 = 3.479331075960212e-5;
const Q1 = -2.403394911734414;
const Q2 = 2.0209457602335057;
const Q3 = -0.6882839716054533;
const Q4 = 0.07703815055590194;

/**
 * The inverse cosine of `x`, in [0, pi]; arguments outside [-1, 1] count as the nearer end. Within 1 ulp.
 *
 * The rational approximation and the three ranges are those of fdlibm's `e_acos.c` (Sun Microsystems, 1993). It is written
 * out because WebAssembly has no inverse cosine: `workers/wasm/assembly/arcCosine.ts` does the same additions, products,
 * divisions and roots in the same order, so both give the same bits, and equal kernel values tie in both.
 */
export function arcCosine(x: number): number {
  if (x >= 1) return 0;
  if (x <= -1) return 2 * HALF_PI_HIGH;
  const magnitude = Math.abs(x);
  const small = magnitude < 0.5;
  const z = small ? x * x : (1 - magnitude) * 0.5;
  const ratio =
    (z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5)))))) / (1 + z * (Q1 + z * (Q2 + z * (Q3 + z * Q4))));
  if (small) return HALF_PI_HIGH - (x - (HALF_PI_LOW - x * ratio));
  const root = Math.sqrt(z);
  if (x < 0) return 2 * (HALF_PI_HIGH - (root + (ratio * root - HALF_PI_LOW)));
  // The single precision part of the root has an exact square: the rest of z is what rounding the root lost.
  const head = Math.fround(root);
  const tail = (z - head * head) / (root + head);
  return 2 * (head + (ratio * root + tail));
}
