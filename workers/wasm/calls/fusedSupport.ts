import { setFlagsFromString } from 'node:v8';

/**
 * A module whose one function returns, by `f32x4.relaxed_madd`, x² - c for x = 1 + 2⁻¹² and c = 1 + 2⁻¹¹. x² is c + 2⁻²⁴,
 * which no float is: rounded first, it is c, and the difference 0.
 */
const PROBE = new Uint8Array([
  // header; type () -> f32; one function of it; exported as "r"
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7d],
  ...[0x03, 0x02, 0x01, 0x00, 0x07, 0x05, 0x01, 0x01, 0x72, 0x00, 0x00],
  // code: x, x and -c as splats of f32.const, relaxed_madd, lane 0
  ...[0x0a, 0x1f, 0x01, 0x1d, 0x00],
  ...[0x43, 0x00, 0x08, 0x80, 0x3f, 0xfd, 0x13, 0x43, 0x00, 0x08, 0x80, 0x3f, 0xfd, 0x13],
  ...[0x43, 0x00, 0x10, 0x80, 0xbf, 0xfd, 0x13, 0xfd, 0x85, 0x02, 0xfd, 0x1f, 0x00, 0x0b],
]);

/** V8 11.3, of Node 20, has relaxed SIMD behind this; later ones have it without. */
const FLAG = '--experimental-wasm-relaxed-simd';

/** `engine`: this V8 has no relaxed SIMD. `processor`: it has, and rounds twice all the same. */
export type FusedSupport = 'fused' | 'engine' | 'processor';

let known: FusedSupport | null = null;

/**
 * Whether fused multiply-adds can be had in this process, by computing one. Switches the engine's flag on where it is
 * needed: asked only where they are wanted, and before a module with them is compiled.
 */
export function fusedSupport(): FusedSupport {
  known ??= probe();
  return known;
}

function probe(): FusedSupport {
  if (!WebAssembly.validate(PROBE)) setFlagsFromString(FLAG);
  if (!WebAssembly.validate(PROBE)) return 'engine';
  const { r: residual } = new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports;
  return typeof residual === 'function' && residual() !== 0 ? 'fused' : 'processor';
}

/** Why they cannot be had, and what to do. */
export function whyNotFused(support: Exclude<FusedSupport, 'fused'>): string {
  return support === 'engine'
    ? `V8 ${process.versions.v8} has no relaxed SIMD; use Node 20.19 or newer with its compiler for WebAssembly on, or leave WARREN_FUSED off`
    : 'this processor has no fused multiply-adds: numbers are those without WARREN_FUSED';
}
