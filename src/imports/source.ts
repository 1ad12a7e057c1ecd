import { createHash } from 'node:crypto';
import type { ImportRunInput, LogLineInput, MediaKind } from '#src/generated/api.ts';

/** What a source says of a run; what it does not know is left out. */
export interface RunFacts {
  name?: string;
  parameters?: Record<string, unknown>;
  datasetName?: string;
  seed?: number;
  /** Who started it there. */
  user?: string;
  tags?: string[];
  notes?: string;
  environment?: Record<string, unknown>;
  state?: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  startedMs?: number;
  endedMs?: number;
  errorMessage?: string;
}

/** Something to look at. */
export interface SourceMedia {
  name: string;
  step: number;
  index?: number;
  kind: MediaKind;
  caption?: string;
  metadata?: Record<string, unknown>;
  /** Bytes, or the file that has them; null for histograms, which are their metadata. */
  content: Uint8Array | { path: string } | null;
  mediaType: string;
  timeMs: number;
}

/** A piece of a run, in the order in which its source has them. */
export type SourceItem =
  | { type: 'points'; name: string; steps: readonly number[]; values: readonly number[]; times: readonly number[] }
  | { type: 'facts'; facts: RunFacts }
  | { type: 'lines'; lines: readonly LogLineInput[] }
  | { type: 'media'; media: SourceMedia }
  | { type: 'file'; name: string; path: string }
  /** What people should know: where a file is torn, what was left out. */
  | { type: 'warning'; text: string };

/** A run of a source. */
export interface SourceRun {
  /** A UUID, always the same for this run. */
  id: string;
  /** What to call it in messages. */
  label: string;
  /** What is known before it is read. */
  facts: RunFacts;
  /** Reads it; called again, it gives what has come since. */
  read(): Iterable<SourceItem> | AsyncIterable<SourceItem>;
}

/** The runs of a source, in a fixed order. */
export type SourceRuns = AsyncIterable<SourceRun>;

/** A UUID made of what names a run, the same for the same words. */
export function importId(...words: readonly string[]): string {
  const hex = createHash('sha256')
    .update(['warren import', ...words].join('\0'))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Unix milliseconds that Warren can keep: what is no time, or outside 1970 to 9999, becomes the nearest. */
export function storableMs(timeMs: number): number {
  if (Number.isNaN(timeMs)) return 0;
  return Math.min(Math.max(Math.round(timeMs), 0), 253_402_300_799_999);
}

/**
 * The seed of a run, and the parameters without it: a whole number `seed` among them is the seed, unless its source tells another.
 * Runs that differ in it alone are replicates.
 */
function seedApart({ seed: told, parameters = {} }: RunFacts): { seed: number; parameters: Record<string, unknown> } {
  const { seed: own, ...others } = parameters;
  const isSeed = typeof own === 'number' && Number.isInteger(own) && own >= 0 && own < 2 ** 31;
  return isSeed && (told === undefined || told === own)
    ? { seed: own, parameters: others }
    : { seed: told ?? 0, parameters };
}

/** The input of `importRun` for what is known of a run. */
export function importInput(run: { id: string; project: string; label: string; facts: RunFacts }): ImportRunInput {
  const { facts } = run;
  const date = (ms: number | undefined) => (ms === undefined ? null : new Date(storableMs(ms)).toISOString());
  const name = (facts.name ?? run.label).trim().slice(0, 200);
  return {
    id: run.id,
    project: run.project,
    name: name === '' ? 'imported' : name,
    ...seedApart(facts),
    datasetName: facts.datasetName ?? null,
    user: facts.user?.trim().slice(0, 200) || null,
    tags: (facts.tags ?? []).map((tag) => tag.trim().slice(0, 100)).filter((tag) => tag !== ''),
    notes: facts.notes ?? null,
    environment: facts.environment ?? {},
    state: facts.state ?? null,
    startedAt: date(facts.startedMs),
    endedAt: date(facts.endedMs),
    errorMessage: facts.errorMessage ?? null,
  };
}
