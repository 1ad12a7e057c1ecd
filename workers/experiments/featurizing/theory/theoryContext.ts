import type { FeaturizeTheoryParameters } from '#src/catalog/kinds/featurizeTheory.ts';
import type { FigureCurve } from '#workers/figures/figure.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';

export type TheoryContext = ExperimentContext<FeaturizeTheoryParameters>;

/** Leaves curves over what grows, both axes logarithmic, as the figure of a proposition. */
export async function reportCurves(
  reporter: TheoryContext['reporter'],
  name: string,
  { title, axes, series }: { title: string; axes: [string, string]; series: readonly FigureCurve[] },
): Promise<void> {
  const [x, y] = axes;
  await reportFigure(reporter, name, {
    figure: { form: 'curves', title, x: { title: x, scale: 'log' }, y: { title: y, scale: 'log' }, series },
  });
}
