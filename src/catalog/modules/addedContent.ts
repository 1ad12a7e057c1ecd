import type { DatasetInfo } from '../datasetInfo.ts';
import type { Preset } from '../kind.ts';
import type { MetricInfo } from '../rankingMetrics.ts';
import type { KindAddition, ReaderInput } from './addition.ts';

/** What a module has added to the catalog, all of it checked. */
export interface ModuleContent {
  readonly kinds: readonly Pick<KindAddition, 'definition' | 'metrics' | 'run'>[];
  readonly presets: readonly { readonly kind: string; readonly preset: Preset }[];
  readonly datasets: readonly DatasetInfo[];
  readonly readers: readonly ReaderInput[];
}

/** The catalog of this process beside its own lists: filled at the start, before anybody asks, and never changed after. */
const contents: ModuleContent[] = [];
/** Its metrics by name: they are asked for often. */
const metrics = new Map<string, MetricInfo>();

/** Adds what `checkModule` has passed. */
export function addContent(content: ModuleContent): void {
  contents.push(content);
  for (const kind of content.kinds) for (const [name, info] of Object.entries(kind.metrics)) metrics.set(name, info);
}

export function addedKinds(): ModuleContent['kinds'] {
  return contents.flatMap(({ kinds }) => kinds);
}

/** What a module says of the metrics that have this last part of a name; undefined where none does. */
export function addedMetric(name: string): MetricInfo | undefined {
  return metrics.get(name);
}

/** Metrics that a kind declares beside Warren's own. */
export function metricsOfAddedKind(name: string): KindAddition['metrics'] {
  return addedKinds().find(({ definition }) => definition.kind === name)?.metrics ?? {};
}

/** Presets that modules have added to kinds that are not their own. */
export function addedPresets(kind: string): Preset[] {
  return contents.flatMap(({ presets }) => presets.flatMap((added) => (added.kind === kind ? [added.preset] : [])));
}

export function addedDatasets(): DatasetInfo[] {
  return contents.flatMap(({ datasets }) => datasets);
}

/** Readers of files that modules have added. */
export function addedReaders(): ReaderInput[] {
  return contents.flatMap(({ readers }) => readers);
}
