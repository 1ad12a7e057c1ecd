import { flattenJson } from './flattenJson.ts';
import { canonicalJson } from './stableHash.ts';

/** A dataset with its preparation and split: a canonical text for each of its leaves, by its path. */
export type DataLeaves = ReadonlyMap<string, string>;

/** The leaves of a dataset as configurations have it. */
export function dataLeaves(dataset: unknown): DataLeaves {
  return new Map(flattenJson(dataset, '').map(([path, value]) => [path.slice(1), canonicalJson(value)]));
}

/** In what data differ: `name`, `core`, `split`; in order. What one of them does not say it is not known to differ in. */
export function differingFields(data: readonly DataLeaves[]): string[] {
  const paths = [...new Set(data.flatMap((one) => [...one.keys()]))];
  const fields = paths.filter((path) => new Set(data.flatMap((one) => one.get(path) ?? [])).size > 1);
  return fields.toSorted((a, b) => Number(b === 'name') - Number(a === 'name') || a.localeCompare(b));
}

/** `test/ndcg@10 by dataset, split; train/loss by core`; null where no data differ. */
export function unlikeDataText(found: readonly { metric: string; fields: readonly string[] }[]): string | null {
  if (found.length === 0) return null;
  return found.map(({ metric, fields }) => `${metric} by ${dataFieldWords(fields)}`).join('; ');
}

/** The words of people for the fields in which data differ. */
export function dataFieldWords(fields: readonly string[]): string {
  return fields.map((field) => (field === 'name' ? 'dataset' : field)).join(', ');
}
