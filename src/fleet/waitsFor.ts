import { z } from 'zod';
import { type RunNeeds, type WorkerOffers, workerOffersSchema } from '#src/base/contracts/runNeeds.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { WorkerRecord } from '#src/fleet/store/workerRecord.ts';
import { whyNeverHere } from './fittingRun.ts';

const detailsSchema = z.object({ kinds: z.array(z.string()) });

/** The kinds beside Warren's own that a worker says it knows. */
export function addedKindsOf({ details }: Pick<WorkerRecord, 'details'>): readonly string[] {
  const parsed = detailsSchema.safeParse(details);
  return parsed.success ? parsed.data.kinds : [];
}

const troubleSchema = z.object({ trouble: z.string() });

/** What a worker says is wrong with it, for which it takes no runs; null when nothing is. */
export function troubleOf({ details }: Pick<WorkerRecord, 'details'>): string | null {
  return troubleSchema.safeParse(details).data?.trouble ?? null;
}

const leftOutSchema = z.object({ leftOutModules: z.array(z.object({ module: z.string(), problem: z.string() })) });

/** The modules that a worker says it could not load, and why; none for workers of older versions. */
export function leftOutModulesOf({ details }: Pick<WorkerRecord, 'details'>): { module: string; problem: string }[] {
  return leftOutSchema.safeParse(details).data?.leftOutModules ?? [];
}

/**
 * For what kind of worker a queued run waits, since none of those that are alive could execute it: `a worker with a GPU`, or
 * for one at all where those that are alive take no new runs. Null for runs that any worker takes, and those that only wait
 * for their turn.
 */
export function whatRunWaitsFor(
  run: Pick<RunRecord, 'state' | 'needs' | 'requiresGpu' | 'addedKind'>,
  alive: readonly Pick<WorkerRecord, 'gpu' | 'details' | 'offers' | 'drainRequestedAt'>[],
): string | null {
  if (run.state !== 'QUEUED') return null;
  const taking = alive.filter((worker) => worker.drainRequestedAt === null && troubleOf(worker) === null);
  const awaited = whatWorkerLacks(run, taking);
  if (taking.length === alive.length) return awaited;
  // One that is drained or ill would do: it is that which the run waits for.
  const isAwaited = awaited === null ? taking.length === 0 : whatWorkerLacks(run, alive) === null;
  return isAwaited ? whatHoldsThem(alive) : awaited;
}

function whatHoldsThem(alive: readonly Pick<WorkerRecord, 'details'>[]): string {
  const [trouble] = alive.flatMap((worker) => troubleOf(worker) ?? []);
  if (trouble === undefined) return 'a worker that takes new runs (`warren workers undrain`)';
  return `a worker that is well: of one that is alive, ${trouble}`;
}

function whatWorkerLacks(
  { needs, requiresGpu, addedKind }: Pick<RunRecord, 'needs' | 'requiresGpu' | 'addedKind'>,
  alive: readonly Pick<WorkerRecord, 'gpu' | 'details' | 'offers'>[],
): string | null {
  if (needs !== null) {
    return whatCommandWaitsFor(
      needs,
      alive.flatMap(({ offers }) => workerOffersSchema.safeParse(offers).data ?? []),
    );
  }
  if (!requiresGpu && addedKind === null) return null;
  const may = alive.some(
    (worker) => (!requiresGpu || worker.gpu) && (addedKind === null || addedKindsOf(worker).includes(addedKind)),
  );
  if (may) return null;
  if (addedKind === null) return 'a worker with a GPU';
  return `a worker that knows the kind "${addedKind}"${requiresGpu ? ' and has a GPU' : ''}`;
}

function whatCommandWaitsFor(needs: RunNeeds, offers: readonly WorkerOffers[]): string | null {
  if (offers.length === 0) return 'a worker that executes commands (`warren worker --allow-commands`)';
  const lacking = offers.map((offer) => whyNeverHere(needs, offer));
  if (lacking.includes(null)) return null;
  return `a worker that executes commands with ${[...new Set(lacking)].join(' or ')}`;
}
