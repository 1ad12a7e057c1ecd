import type { Study } from '../study.ts';

/** LEPORID, Figure 1: the first dimensions of Laplacian Eigenmaps on a graph. */
export const leporidFigure1Study: Study = {
  name: 'leporid/figure-1',
  extraDatasets: ['ml-100k'],
  title: 'First dimensions of Laplacian Eigenmaps on their graph',
  source: 'Figure 1, Section 1',
  notes:
    'The paper does not say which graph its picture shows; here, users and items of MovieLens 1M, an even sample of them.',
  arms: [
    {
      name: 'le',
      label: 'LE',
      kind: 'embedding',
      preset: 'leporid/embedding-le-ml-1m',
      minutes: 3,
      quick: { dataset: { maximumUsers: 500 }, parameters: { neighbours: 50 }, minutes: 0.3 },
    },
  ],
  seeds: { quick: [1], paper: [1] },
  figures: [
    {
      name: 'first-dimensions',
      title: 'First four dimensions as bars on the nodes',
      shows: 'Neighbors have like values in the first dimensions, and fluctuate more in later ones.',
      panels: (['users', 'items'] as const).map((side) => ({
        title: side,
        arm: 'le',
        artifact: `first-dimensions-${side}.png`,
      })),
    },
  ],
  claims: [],
};
