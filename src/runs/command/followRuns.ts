import { printable } from '#src/base/lib/printable.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { tellsProgress } from '#src/base/contracts/runProgress.ts';
import { isFinal } from '#src/base/contracts/runState.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { fetchRuns } from './fetchRuns.ts';
import type { RunSummaryFragment } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { formatDuration, millisecondsBetween } from '#src/base/terminal/formatNumber.ts';
import type { ProgressRow } from '#src/base/terminal/progressView.ts';

/** The API may restart while runs go on; after this long without an answer the wait ends. */
const PATIENCE_MS = 120_000;

export interface FollowOptions {
  /** Told all runs, in order, after each look. */
  onUpdate(runs: readonly RunSummaryFragment[]): void;
  /** Ends the wait; the runs go on. */
  signal?: AbortSignal;
  /** Told once when the API stops answering. */
  onAway?: () => void;
}

/**
 * Looks at the runs until each has ended, and answers them; only those still under way are asked for.
 * Throws UNAVAILABLE when the API stays away for two minutes, and the signal's reason when it is aborted.
 */
export async function followRuns(
  api: ApiClient,
  ids: readonly string[],
  options: FollowOptions,
): Promise<RunSummaryFragment[]> {
  const runs = new Map<string, RunSummaryFragment>();
  let awaySince: number | null = null;
  for (;;) {
    options.signal?.throwIfAborted();
    const open = ids.filter((id) => !isFinal(runs.get(id)?.state ?? 'QUEUED'));
    try {
      for (const run of await fetchRuns(api, open)) runs.set(run.id, run);
      awaySince = null;
    } catch (error) {
      if (!(error instanceof WarrenError) || error.code !== 'UNAVAILABLE') throw error;
      if (awaySince === null) options.onAway?.();
      awaySince ??= Date.now();
      if (Date.now() - awaySince > PATIENCE_MS) throw error;
    }
    const all = ids.flatMap((id) => runs.get(id) ?? []);
    options.onUpdate(all);
    if (all.length === ids.length && all.every((run) => isFinal(run.state))) return all;
    await delay(TIMING.followMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

/** A run as a progress view shows it. */
export function progressRow(run: RunSummaryFragment): ProgressRow {
  return {
    id: run.id,
    label: `#${run.number} ${printable(run.name)} · seed ${run.seed}`,
    state: run.state,
    fraction: tellsProgress(run) ? run.progress : null,
    message: messageOf(run),
  };
}

function messageOf(run: RunSummaryFragment): string {
  if (run.state === 'FAILED') return run.error?.code ?? '';
  if (run.state === 'QUEUED' && run.waitsFor !== null) return `waits for ${run.waitsFor}`;
  if (run.state === 'RUNNING')
    return run.attempt > 1 ? `${run.progressMessage} (attempt ${run.attempt})` : run.progressMessage;
  if (isFinal(run.state) && run.startedAt !== null && run.endedAt !== null) {
    return formatDuration(millisecondsBetween(run.startedAt, run.endedAt));
  }
  return '';
}
