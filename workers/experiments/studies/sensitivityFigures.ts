import type { OverrecSensitivityParameters } from '#src/catalog/kinds/overrecSensitivity.ts';
import type { Figure } from '#workers/figures/figure.ts';
import {
  hasSigmaMap,
  SWEPT_NAMES,
  type SensitivityPoint,
  type SensitivityResult,
  type SweptParameter,
  sameValues,
  shortNumber,
  sweptAlone,
} from './sensitivityPlan.ts';

const KERNEL_NAMES = { rntk: 'OverRec (RNTK)', nngp: 'NNGP-RNN' } as const;

const TITLES: Readonly<Record<SweptParameter, string>> = {
  sigmaW: 'σ_W',
  sigmaU: 'σ_U',
  sigmaV: 'σ_V',
  sigmaB: 'σ_b',
  sigmaH: 'σ_h',
  layers: 'layers L',
  neighbours: 'neighbours k',
  maximumLength: 'longest sequence M',
};

/** A map of σ_W and σ_U for each kernel, and a figure of curves, one a kernel, for every other parameter with several values. */
export function sensitivityFigures(
  parameters: OverrecSensitivityParameters,
  results: readonly SensitivityResult[],
  dataset: string,
): { name: string; figure: Figure }[] {
  const metric = `mrr@${parameters.cutoffs[0]}`;
  const valueAt = (kernel: SensitivityPoint['kernel'], values: SensitivityPoint['values']): number =>
    results.find((result) => result.kernel === kernel && sameValues(result.values, values))?.metrics[metric] ??
    Number.NaN;
  const drawn = { parameters, dataset, metric: metric.toUpperCase(), valueAt };
  const maps = hasSigmaMap(parameters)
    ? parameters.kernels.map((kernel) => ({ name: `figure-6-${kernel}`, figure: sigmaMap(drawn, kernel) }))
    : [];
  const several = sweptAlone(parameters).filter((swept) => parameters[`${swept}Values`].length > 1);
  const curves = several.map((swept) => ({
    name: `figure-6-${SWEPT_NAMES[swept]}`,
    figure: sweepFigure(drawn, swept),
  }));
  return [...maps, ...curves];
}

interface Drawn {
  parameters: OverrecSensitivityParameters;
  dataset: string;
  metric: string;
  valueAt: (kernel: SensitivityPoint['kernel'], values: SensitivityPoint['values']) => number;
}

function sigmaMap({ parameters, dataset, metric, valueAt }: Drawn, kernel: SensitivityPoint['kernel']): Figure {
  const { sigmaWValues, sigmaUValues } = parameters;
  return {
    form: 'heat-map',
    title: `${KERNEL_NAMES[kernel]} on ${dataset}`,
    x: { title: TITLES.sigmaW, categories: sigmaWValues.map(shortNumber) },
    y: { title: TITLES.sigmaU, categories: sigmaUValues.map(shortNumber) },
    valueTitle: metric,
    values: sigmaUValues.map((sigmaU) => sigmaWValues.map((sigmaW) => valueAt(kernel, { sigmaW, sigmaU }))),
  };
}

/** Counts are spread over decades: each has a place of its own; standard deviations stand where they are. */
function sweepFigure({ parameters, dataset, metric, valueAt }: Drawn, swept: SweptParameter): Figure {
  const tried = parameters[`${swept}Values`].toSorted((a, b) => a - b);
  const isCount = !swept.startsWith('sigma');
  return {
    form: 'curves',
    title: `${metric} on ${dataset} as ${TITLES[swept]} varies`,
    x: {
      title: TITLES[swept],
      ...(isCount ? { scale: 'category' as const, categories: tried.map(String) } : {}),
    },
    y: { title: metric, minimum: 0 },
    series: parameters.kernels.map((kernel) => ({
      form: 'line',
      name: KERNEL_NAMES[kernel],
      x: isCount ? tried.map((_, place) => place) : tried,
      y: tried.map((value) => valueAt(kernel, { [swept]: value })),
    })),
  };
}
