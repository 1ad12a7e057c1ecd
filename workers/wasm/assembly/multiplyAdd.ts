// A product and a sum. The fused build of the kernels (relaxed SIMD) rounds once where the processor can, the plain build
// twice. Where a sum has a part of its own for the last few elements, which ones these are must not depend on the lanes.

/** sum + x y of four floats. */
@inline
export function addProduct4(sum: v128, x: v128, y: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(x, y, sum);
  return f32x4.add(sum, f32x4.mul(x, y));
}

/** x y + c of four floats: as `addProduct4`, for a sum that comes after the product. */
@inline
export function productPlus4(x: v128, y: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(x, y, c);
  return f32x4.add(f32x4.mul(x, y), c);
}

/** sum - x y of four floats. */
@inline
export function subtractProduct4(sum: v128, x: v128, y: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_nmadd(x, y, sum);
  return f32x4.sub(sum, f32x4.mul(x, y));
}

/** sum + x y of two doubles. */
@inline
export function addProduct2(sum: v128, x: v128, y: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_madd(x, y, sum);
  return f64x2.add(sum, f64x2.mul(x, y));
}

/** sum - x y of two doubles. */
@inline
export function subtractProduct2(sum: v128, x: v128, y: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_nmadd(x, y, sum);
  return f64x2.sub(sum, f64x2.mul(x, y));
}

/** sum + x y of a vector of floats or of doubles. */
@inline
export function addProduct<T>(sum: v128, x: v128, y: v128): v128 {
  return sizeof<T>() == 4 ? addProduct4(sum, x, y) : addProduct2(sum, x, y);
}
