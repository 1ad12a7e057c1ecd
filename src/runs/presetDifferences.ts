import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { asPlainObject, flattenObject } from '#src/base/lib/plainObject.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';

/** A setting of a run that is not as its preset, or the defaults, have it. */
export interface PresetDifference {
  /** Dotted: `optimizer.learningRate`, `dataset.core`. */
  path: string;
  /** Undefined where the run has none. */
  value: unknown;
  /** What the preset, or the default, has; undefined where there is none. */
  usual: unknown;
}

/**
 * Where a configuration differs from its preset, or without one from the defaults of its kind on the same data. Null where that cannot
 * be told: for programs of one's own, for kinds and presets that are gone.
 */
export function presetDifferences(
  {
    kind,
    parameters,
    dataset,
    datasetName,
  }: Pick<ConfigurationRecord, 'kind' | 'parameters' | 'dataset' | 'datasetName'>,
  preset: string | null,
): PresetDifference[] | null {
  const usual = usualOf(kind, preset, datasetName);
  if (usual === null) return null;
  return [
    ...differences(asPlainObject(parameters), usual.parameters, ''),
    ...differences(asPlainObject(dataset), asPlainObject(usual.dataset), 'dataset.'),
  ];
}

function usualOf(kind: string, preset: string | null, datasetName: string | null) {
  if (kind === 'external' || kind === 'command') return null;
  try {
    return resolveConfiguration({ kind, preset });
  } catch {
    // no preset, or one without data of its own: the run's is the usual one
  }
  try {
    return resolveConfiguration({ kind, preset, dataset: datasetName });
  } catch {
    return null;
  }
}

function differences(
  given: Readonly<Record<string, unknown>>,
  usual: Readonly<Record<string, unknown>>,
  prefix: string,
): PresetDifference[] {
  const values = new Map(flattenObject(given, prefix));
  const usuals = new Map(flattenObject(usual, prefix));
  return [...new Set([...values.keys(), ...usuals.keys()])].flatMap((path) => {
    const [value, other] = [values.get(path), usuals.get(path)];
    return canonicalJson(value) === canonicalJson(other) ? [] : [{ path, value, usual: other }];
  });
}
