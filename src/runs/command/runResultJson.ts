import { isPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';

/** What `--json` prints of a run: the form that scripts read, the same for queued and local runs. */
export interface RunResultJson {
  kind: string;
  dataset: string | null;
  seed: number;
  /** All parameters, defaults filled in. */
  config: PlainObject;
  /** Last value of each series; NaN and infinities as strings. */
  metrics: Record<string, number | string>;
  /** Seconds of each phase. */
  timings: Record<string, number>;
  peakRssMb: number | null;
  backend: string | null;
  device: string | null;
  /** Of the dataset. */
  fingerprint: string | null;
  notes: Record<string, unknown>;
}

export interface RunResultParts {
  kind: string;
  dataset: string | null;
  seed: number;
  parameters: PlainObject;
  metrics: Iterable<readonly [string, number]>;
  /** What the run reported of its environment. */
  environment: PlainObject;
}

/** Gathers the parts; `system/*` metrics are left out, because they describe the machine and not the result. */
export function runResultJson(parts: RunResultParts): RunResultJson {
  const { environment } = parts;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const metrics = [...parts.metrics]
    .filter(([name]) => !name.startsWith('system/'))
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([name, value]) => [name, Number.isFinite(value) ? value : String(value)] as const);
  return {
    kind: parts.kind,
    dataset: parts.dataset,
    seed: parts.seed,
    config: parts.parameters,
    metrics: Object.fromEntries(metrics),
    timings: numbersOf(environment.timings),
    peakRssMb: typeof environment.peakRssMb === 'number' ? environment.peakRssMb : null,
    backend: text(environment.backend),
    device: text(environment.device),
    fingerprint: text(environment.fingerprint),
    notes: objectOf(environment.notes),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? { ...value } : {};
}

function numbersOf(value: unknown): Record<string, number> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
