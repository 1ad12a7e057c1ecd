import type { OverrecSensitivityParameters } from '#src/catalog/kinds/overrecSensitivity.ts';

/** Parameters whose values are tried one at a time, but for σ_W and σ_U, of which all pairs are. */
export const SWEPT_PARAMETERS = [
  'sigmaW',
  'sigmaU',
  'sigmaV',
  'sigmaB',
  'sigmaH',
  'layers',
  'neighbours',
  'maximumLength',
] as const;
export type SweptParameter = (typeof SWEPT_PARAMETERS)[number];

/** One setting of the study: the parameters that are not at their own values, and the kernel. */
export interface SensitivityPoint {
  kernel: 'rntk' | 'nngp';
  values: Partial<Record<SweptParameter, number>>;
}

/** What a point gives: `mrr@N`, `ndcg@N`, `hr@N`. */
export interface SensitivityResult extends SensitivityPoint {
  metrics: Record<string, number>;
}

/** How metrics and files name the parameters. */
export const SWEPT_NAMES: Readonly<Record<SweptParameter, string>> = {
  sigmaW: 'sigma-w',
  sigmaU: 'sigma-u',
  sigmaV: 'sigma-v',
  sigmaB: 'sigma-b',
  sigmaH: 'sigma-h',
  layers: 'layers',
  neighbours: 'neighbours',
  maximumLength: 'maximum-length',
};

/** Four significant digits. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Whether two points leave the same parameters at the same values. */
export function sameValues(a: SensitivityPoint['values'], b: SensitivityPoint['values']): boolean {
  return SWEPT_PARAMETERS.every((name) => a[name] === b[name]);
}

/** Whether σ_W and σ_U are tried in all pairs. */
export function hasSigmaMap({ sigmaWValues, sigmaUValues }: OverrecSensitivityParameters): boolean {
  return sigmaWValues.length > 0 && sigmaUValues.length > 0;
}

/** Parameters that are tried one at a time. */
export function sweptAlone(parameters: OverrecSensitivityParameters): SweptParameter[] {
  const inMap = hasSigmaMap(parameters) ? ['sigmaW', 'sigmaU'] : [];
  return SWEPT_PARAMETERS.filter((name) => !inMap.includes(name) && parameters[`${name}Values`].length > 0);
}

/**
 * All points of a study: of each kernel that with its own parameters, then the numbers of neighbours, which share its search,
 * the pairs of σ_W and σ_U, and the values of every other parameter.
 */
export function sensitivityPlan(parameters: OverrecSensitivityParameters): SensitivityPoint[] {
  const { kernels, sigmaWValues, sigmaUValues } = parameters;
  const valuesOf = (name: SweptParameter) => parameters[`${name}Values`].map((value) => ({ [name]: value }));
  const pairs = sigmaWValues.flatMap((sigmaW) => sigmaUValues.map((sigmaU) => ({ sigmaW, sigmaU })));
  const settings = [{}, ...valuesOf('neighbours'), ...pairs];
  for (const name of sweptAlone(parameters)) if (name !== 'neighbours') settings.push(...valuesOf(name));
  return kernels.flatMap((kernel) => settings.map((values) => ({ kernel, values })));
}
