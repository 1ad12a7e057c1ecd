import type { DatasetInfo } from '../datasetInfo.ts';
import type { Preset } from '../kind.ts';
import type { KindAddition } from './addition.ts';

/** What a module has added to the catalog, all of it checked. */
export interface ModuleContent {
  readonly kinds: readonly Pick<KindAddition, 'definition' | 'run'>[];
  readonly presets: readonly { readonly kind: string; readonly preset: Preset }[];
  readonly datasets: readonly DatasetInfo[];
}

/** The catalog of this process beside its own lists: filled at the start, before anybody asks, and never changed after. */
const contents: ModuleContent[] = [];

/** Adds what `checkModule` has passed. */
export function addContent(content: ModuleContent): void {
  contents.push(content);
}

export function addedKinds(): ModuleContent['kinds'] {
  return contents.flatMap(({ kinds }) => kinds);
}

/** Presets that modules have added to kinds that are not their own. */
export function addedPresets(kind: string): Preset[] {
  return contents.flatMap(({ presets }) => presets.flatMap((added) => (added.kind === kind ? [added.preset] : [])));
}

export function addedDatasets(): DatasetInfo[] {
  return contents.flatMap(({ datasets }) => datasets);
}
