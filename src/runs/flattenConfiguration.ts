import { flattenJson } from '#src/base/lib/flattenJson.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';

/** The dataset selection and the parameters of a configuration by path: `dataset.name`, `parameters.sigmaW`. */
export function flattenConfiguration(
  configuration: Pick<ConfigurationRecord, 'dataset' | 'parameters'>,
): Map<string, unknown> {
  const { dataset, parameters } = configuration;
  const leaves = [
    ...(dataset === null ? [] : flattenJson(dataset, 'dataset')),
    ...flattenJson(parameters, 'parameters'),
  ];
  return new Map(leaves.filter(([path]) => path.includes('.')));
}
