/** Powers of ten from 1 to the first that is not below `greatest`. */
export function decades(greatest: number): number[] {
  const last = Math.max(1, Math.ceil(Math.log10(Math.max(1, greatest)) - 1e-9));
  return Array.from({ length: last + 1 }, (_, power) => 10 ** power);
}
