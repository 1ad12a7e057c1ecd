import type { Study } from '../study.ts';

/** RNTK, Figure 2: finite networks tend to the kernel as they grow. */
export const rntkFigure2Study: Study = {
  name: 'rntk/figure-2',
  title: 'Convergence of finite networks to the RNTK',
  source: 'Figure 2, Section 3.1; Theorem 2, Section 3.2',
  notes:
    'The paper prints neither the sigmas nor the widths. One run draws all networks: a curve over the width is one computation.',
  arms: [
    {
      name: 'relu',
      label: 'ReLU',
      kind: 'rntk-convergence',
      preset: 'rntk/figure-2',
      minutes: 1.5,
      quick: {
        parameters: { widths: [16, 32, 64, 128, 256], trainingWidths: [16, 32, 64, 128], trainingSteps: 100 },
        minutes: 0.5,
      },
    },
  ],
  seeds: { quick: [1], paper: [1, 2, 3, 4, 5, 6, 7, 8] },
  figures: [
    {
      name: 'pair',
      title: 'Kernel of a pair of inputs of different lengths over α',
      shows: 'The kernel of a network of width 1,000 lies on that of the infinite one.',
      panels: [{ title: 'Left', arm: 'relu', artifact: 'figure-2-left.png' }],
    },
    {
      name: 'error',
      title: 'Error by width',
      shows: 'Networks that share their weights over time and those that do not tend to the same kernel.',
      panels: [
        {
          title: 'Right',
          form: 'line',
          x: { label: 'width n', logarithmic: true },
          y: { label: 'relative error', logarithmic: true },
          series: ['tied', 'untied'].map((tying) => ({
            label: tying,
            curve: { arm: 'relu', metric: `${tying}/error` },
          })),
        },
      ],
    },
    {
      name: 'drift',
      title: 'Drift of the kernel in training by width (Theorem 2)',
      shows: 'The wider the network, the less its kernel moves in training: at least as 1/√n.',
      panels: [
        {
          title: 'Theorem 2',
          form: 'line',
          x: { label: 'width n', logarithmic: true },
          y: { label: 'relative drift', logarithmic: true },
          series: [{ label: 'drift', curve: { arm: 'relu', metric: 'training/drift' } }],
        },
      ],
    },
  ],
  claims: [
    {
      name: 'converges',
      text: 'The error falls with the width, tied or untied (as 1/√n by theory).',
      source: 'Section 3.1, Figure 2',
      statements: ['tied', 'untied'].map((tying) => ({
        value: { arm: 'relu', metric: `${tying}/slope` },
        words: `slope of the log-log error, ${tying}`,
        from: -0.65,
        to: -0.35,
      })),
    },
    {
      name: 'stays',
      text: 'In training the kernel of wide networks stays where it was: the drift is O(1/√n).',
      source: 'Theorem 2',
      statements: [{ value: { arm: 'relu', metric: 'training/slope' }, words: 'slope of the log-log drift', to: -0.4 }],
    },
  ],
};
