/** How long a fixed piece of work takes where bounds hold as they are; a slower or busier machine gets as much more time. */
const REFERENCE_MS = 60;

/** By how much bounds in milliseconds are to be widened just now, at least 1. */
export function slowness(): number {
  const value = Array.from({ length: 100_000 }, (_, index) => ({ index, text: 'x'.repeat(20) }));
  const began = performance.now();
  JSON.parse(JSON.stringify(value));
  return Math.max(1, (performance.now() - began) / REFERENCE_MS);
}
