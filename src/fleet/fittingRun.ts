import type { RunNeeds, WorkerOffers } from '#src/base/contracts/runNeeds.ts';

/** What a run that is executed now has taken. */
export interface TakenShare {
  /** Whether the same worker executes it: GPUs belong to the machine, everything else to the worker. */
  own: boolean;
  needs: RunNeeds;
  gpus: readonly number[];
}

export interface Candidate {
  id: string;
  needs: RunNeeds;
}

/** A run that may start now, with the numbers of its GPUs. */
export interface Fitting<Run> {
  run: Run;
  gpus: number[];
}

interface Free {
  gpus: number[];
  memoryMb: number;
  cores: number;
  slots: number;
}

/** Why a worker could never execute such a run, in words; null when it could, were it idle. */
export function whyNeverHere(needs: RunNeeds, offers: WorkerOffers): string | null {
  if (needs.gpus > offers.gpus.length) return `${needs.gpus} ${needs.gpus === 1 ? 'GPU' : 'GPUs'}`;
  if (needs.memoryMb !== null && needs.memoryMb > offers.memoryMb) return `${needs.memoryMb} MiB of memory`;
  if (needs.cores !== null && needs.cores > offers.cores) return `${needs.cores} cores`;
  const missing = needs.labels.filter((label) => !offers.labels.includes(label));
  return missing.length === 0 ? null : `the label ${missing.join(', ')}`;
}

function freeOf(offers: WorkerOffers, taken: readonly TakenShare[]): Free {
  const gpus = new Set(taken.flatMap((share) => share.gpus));
  const free: Free = { ...offers, gpus: offers.gpus.filter((number) => !gpus.has(number)) };
  for (const { needs } of taken.filter((share) => share.own)) take(free, needs);
  return free;
}

/** Takes what a run needs; what it lacks is below zero afterwards. A run with GPUs takes no place. */
function take(free: Free, needs: RunNeeds): void {
  free.memoryMb -= needs.memoryMb ?? 0;
  free.cores -= needs.cores ?? 0;
  if (needs.gpus === 0) free.slots -= 1;
}

function fits(needs: RunNeeds, free: Free): boolean {
  return (
    needs.gpus <= free.gpus.length &&
    (needs.memoryMb ?? 0) <= free.memoryMb &&
    (needs.cores ?? 0) <= free.cores &&
    (needs.gpus > 0 || free.slots > 0)
  );
}

/**
 * The first of the queued runs that may start on a worker now. One that could run here, but for which too little is free,
 * keeps what it lacks from those behind it: a run with many GPUs waits, and does not starve, while runs that need nothing
 * of that go on.
 * @param queue In the order in which runs are to start.
 */
export function fittingRun<Run extends Candidate>(
  queue: readonly Run[],
  offers: WorkerOffers,
  taken: readonly TakenShare[],
): Fitting<Run> | null {
  const free = freeOf(offers, taken);
  for (const run of queue) {
    const { needs } = run;
    if (whyNeverHere(needs, offers) !== null) continue;
    if (fits(needs, free)) return { run, gpus: free.gpus.slice(0, needs.gpus) };
    if (needs.gpus > 0) free.gpus = free.gpus.slice(needs.gpus);
    take(free, needs);
  }
  return null;
}
