import { createBoundedCache } from '#src/base/lib/boundedCache.ts';
import { valueText } from '#src/base/lib/labels.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { textsJson } from '#src/base/database/queryRows.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { listProgramParameters, usedHashesJson } from '#src/runs/store/configurationColumns.ts';
import { flattenConfiguration } from './flattenConfiguration.ts';

/** What the configurations that runs use have in common, and where they differ. */
export interface UsedConfigurations {
  /** Paths such as `dataset.name` and `parameters.sigmaW`, by name. */
  paths: string[];
  /** Those of which configurations that have them have different values; what most configurations have comes first. */
  varying: string[];
  kinds: string[];
  /** Names of datasets. */
  datasets: string[];
  /** The values that they have at a path, as texts; of long ones the beginning. */
  valuesOf(path: string): string[];
}

interface Known {
  kind: string;
  dataset: string | null;
  paths: readonly string[];
  /** A text for each path; equal texts are one object. */
  values: readonly string[];
}

/** Each configuration that was read, by its hash: what a hash names never changes. Equal lists of paths are one object. */
const knownOf = new Map<string, Known>();
const lists = new Map<string, readonly string[]>();
const texts = new Map<string, string>();
const MOST_KNOWN = 50_000;
/** Of all lists together: one of 2,000 hashes has 136,000. */
const MOST_CHARACTERS = 2_000_000;
const LONGEST_VALUE = 200;
/** What lists of hashes have in common, by their JSON: what these name never changes, so that neither does the summary. */
const summaries = createBoundedCache<string, UsedConfigurations>(MOST_CHARACTERS);

/** What is told of the newest configurations, at most `limit`, that runs of a project use, and of what programs added to the newest runs. */
export async function usedConfigurations(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<UsedConfigurations> {
  const [used, added] = await Promise.all([
    usedHashesJson(connection, projectId, limit),
    listProgramParameters(connection, projectId, limit),
  ]);
  const summed = added.length === 0 ? summaries.get(used) : undefined;
  if (summed !== undefined) return summed;
  const hashes = textsJson.parse(used);
  if (knownOf.size > MOST_KNOWN || texts.size > MOST_KNOWN) for (const kept of [knownOf, lists, texts]) kept.clear();
  const unknown = hashes.filter((hash) => !knownOf.has(hash));
  for (const configuration of await findConfigurations(connection, unknown)) {
    const fields = flattenConfiguration(configuration);
    knownOf.set(configuration.hash, {
      kind: configuration.kind,
      dataset: configuration.datasetName,
      paths: kept(lists, JSON.stringify([...fields.keys()]), () => [...fields.keys()]),
      values: [...fields.values()].map((value) => keptText(value)),
    });
  }
  const found = hashes.flatMap((hash) => knownOf.get(hash) ?? []);
  const made = summary([...found, ...added.map(ofProgram)]);
  if (added.length === 0 && found.length === hashes.length) summaries.set(used, made, used.length);
  return made;
}

function ofProgram(parameters: Record<string, unknown>): Known {
  const fields = flattenConfiguration({ dataset: null, parameters });
  return {
    ...{ kind: 'command', dataset: null, paths: [...fields.keys()] },
    values: [...fields.values()].map((value) => valueText(value).slice(0, LONGEST_VALUE)),
  };
}

function keptText(value: unknown): string {
  const text = valueText(value).slice(0, LONGEST_VALUE);
  return kept(texts, text, () => text);
}

function kept<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function summary(configurations: readonly Known[]): UsedConfigurations {
  const first = new Map<string, string>();
  const varying = new Set<string>();
  const counts = new Map<string, number>();
  for (const { paths, values } of configurations) {
    for (const [index, path] of paths.entries()) {
      counts.set(path, (counts.get(path) ?? 0) + 1);
      const value = values[index]!;
      const before = first.get(path);
      if (before === undefined) first.set(path, value);
      else if (before !== value) varying.add(path);
    }
  }
  const paths = [...counts.keys()].sort();
  return {
    paths,
    varying: paths.filter((path) => varying.has(path)).sort((a, b) => counts.get(b)! - counts.get(a)!),
    kinds: [...new Set(configurations.map(({ kind }) => kind))].sort(),
    datasets: [...new Set(configurations.flatMap(({ dataset }) => dataset ?? []))].sort(),
    valuesOf: (path) => {
      const found = configurations.map(({ paths: own, values }) => values[own.indexOf(path)]);
      return [...new Set(found.filter((value) => value !== undefined))].sort();
    },
  };
}
