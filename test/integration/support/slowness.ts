/** How long a fixed piece of work takes where bounds hold as they are; a slower or busier machine gets as much more time. */
const REFERENCE_MS = 60;
/** What does not come on a machine as slow as this does not come at all. */
const MOST = 10;

function measured(): number {
  const value = Array.from({ length: 100_000 }, (_, index) => ({ index, text: 'x'.repeat(20) }));
  const began = performance.now();
  JSON.parse(JSON.stringify(value));
  return (performance.now() - began) / REFERENCE_MS;
}

const atStart = measured();

/** By how much bounds in milliseconds are to be widened, from 1 to 10: by what the machine was at the start, or is just now. */
export function slowness(): number {
  return Math.min(MOST, Math.max(1, atStart, measured()));
}
