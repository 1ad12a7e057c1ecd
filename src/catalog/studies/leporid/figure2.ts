import type { Study } from '../study.ts';

const MEASURES = [
  { measure: 'raw', title: 'As computed' },
  { measure: 'aligned', title: 'Aligned (Procrustes)' },
] as const;
const METHODS = [
  { method: 'le', label: 'LE' },
  { method: 'leporid', label: 'LEPORID' },
] as const;

/** LEPORID, Figure 2: how far an embedding moves when its node gets one edge more. */
export const leporidFigure2Study: Study = {
  name: 'leporid/figure-2',
  extraDatasets: ['ml-100k'],
  title: 'Change of embeddings when one edge is added, by degree',
  source: 'Figure 2, Section 3.2, Appendix E',
  notes:
    'The authors compare eigenvectors whose signs are arbitrary and add self loops (errata 16): the arm “author” does as they do; the others align signs and rotations, too. All graphs of an arm are one simulation, a run.',
  arms: [
    { name: 'rule', label: 'signs by a rule', preset: 'leporid/figure-2' },
    { name: 'author', label: 'as the authors’ program', preset: 'leporid/figure-2-author' },
  ].map((arm) => ({
    ...arm,
    kind: 'embedding-perturbation' as const,
    minutes: 25,
    quick: { parameters: { graphs: 4, insertions: 4 }, minutes: 0.5 },
  })),
  seeds: { quick: [1], paper: [123, 1, 2] },
  figures: ['rule', 'author'].map((arm) => ({
    name: arm,
    title: `Mean change by degree, ${arm === 'rule' ? 'signs by a rule' : 'as the authors’ program'}`,
    shows: 'Nodes of low degree change far more, and LEPORID dampens it.',
    panels: MEASURES.map(({ measure, title }) => ({
      title,
      form: 'line' as const,
      x: { label: 'degree before' },
      y: { label: 'change' },
      series: METHODS.map(({ method, label }) => ({
        label,
        curve: { arm, metric: `${method}/${measure}_difference` },
      })),
    })),
  })),
  claims: [
    {
      name: 'low-degrees-change-most',
      text: 'Nodes with fewer edges experience more drastic changes: the change at the lowest degree is above that at the highest.',
      source: 'Section 3.2, Figure 2',
      statements: ['rule', 'author'].map((arm) => ({
        value: {
          parts: (['highest', 'last'] as const).map((take) => ({ arm, metric: 'le/raw_difference', take })),
          combine: ([most = Number.NaN, last = Number.NaN]: readonly number[]) => most / last,
          words: 'largest change over that at the highest degree',
        },
        words: 'largest change of LE over that at the highest degree',
        from: 2,
      })),
    },
  ],
};
