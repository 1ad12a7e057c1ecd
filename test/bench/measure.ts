export interface Timing {
  median: number;
  spread: [number, number];
}

/** Seconds of `work` over `runs` counted runs, after `warmUps` that are not. */
export async function measure(work: () => Promise<void> | void, runs = 5, warmUps = 1): Promise<Timing> {
  for (let run = 0; run < warmUps; run++) await work();
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    seconds.push((performance.now() - started) / 1000);
  }
  seconds.sort((a, b) => a - b);
  const middle = seconds[seconds.length >> 1] ?? Number.NaN;
  return { median: middle, spread: [seconds[0] ?? middle, seconds.at(-1) ?? middle] };
}
