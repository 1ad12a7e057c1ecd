import { flattenJson } from './flattenJson.ts';
import { fieldValueText, type Label, labelsOf } from './labels.ts';

export interface LabelledConfiguration {
  kind: string;
  datasetName: string | null;
  dataset?: unknown;
  parameters: unknown;
}

/** A group of runs as the API answers it. */
export interface LabelledGroup {
  values: readonly unknown[];
  configuration: LabelledConfiguration | null;
}

/** What may tell a configuration from others, the most telling first. */
export function configurationFields(configuration: LabelledConfiguration): [string, unknown][] {
  const { kind, datasetName, dataset, parameters } = configuration;
  const selection = flattenJson(dataset ?? null, 'dataset').filter(
    ([path]) => path !== 'dataset' && path !== 'dataset.name',
  );
  const leaves = flattenJson(parameters, 'parameters').filter(([path]) => path !== 'parameters');
  return [['kind', kind], ['dataset', datasetName], ...leaves, ...selection];
}

/** The names that people gave, where all runs of a group share one and no two groups have the same; null where they do not tell. */
export function tellingNames(namesOfGroups: readonly (readonly string[])[]): string[] | null {
  const names = namesOfGroups.flatMap((names) => (new Set(names).size === 1 ? [names[0]!] : []));
  return names.length === namesOfGroups.length && new Set(names).size === names.length ? names : null;
}

/**
 * Names of groups by what tells them from the others. @param fields What the runs are grouped by; `configuration` is told by
 * what it holds instead of its hash.
 */
export function groupLabels(groups: readonly LabelledGroup[], fields: readonly string[]): Label[] {
  const labelled = groups.map(({ values, configuration }) => ({
    fields: new Map<string, unknown>(
      fields.flatMap((field, index): [string, unknown][] =>
        field === 'configuration' && configuration !== null
          ? configurationFields(configuration)
          : [[field.replace(/^config\.dataset\.name$/, 'dataset'), values[index] ?? null]],
      ),
    ),
  }));
  const [first] = labelled;
  if (groups.length !== 1 || first === undefined || fields.includes('configuration')) return labelsOf(labelled);
  const parts = [...first.fields].map(([path, value]) => ({ path, value }));
  return [
    { text: parts.map(({ path, value }) => `${fieldTitle(path)} ${fieldValueText(path, value)}`).join(' · '), parts },
  ];
}

/** A field's head in a table: `learningRate` for `config.parameters.learningRate`. */
export function fieldTitle(path: string): string {
  return path.replace(/^config\./, '').replace(/^parameters\./, '');
}
