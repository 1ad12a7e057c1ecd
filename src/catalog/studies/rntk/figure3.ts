import type { Study } from '../study.ts';

const ROWS = [
  { activation: 'relu', label: 'ReLU' },
  { activation: 'erf', label: 'erf' },
] as const;
const PANELS = [
  { name: 'sigma-w', title: 'σ_w' },
  { name: 'sigma-u', title: 'σ_u' },
  { name: 'sigma-b', title: 'σ_b' },
  { name: 'sigma-h', title: 'σ_h' },
] as const;

/** RNTK, Figure 3: how much each time step matters. */
export const rntkFigure3Study: Study = {
  name: 'rntk/figure-3',
  title: 'Sensitivity of the RNTK to each time step',
  source: 'Figure 3, Section 3.4',
  notes:
    'The values that the panels compare are in the legends of the paper’s picture alone; those here are ours. All curves of a row are averages over the same pairs of sequences, so a row is one run.',
  arms: ROWS.map(({ activation, label }) => ({
    name: activation,
    label,
    kind: 'rntk-sensitivity' as const,
    preset: `rntk/figure-3-${activation}`,
    minutes: 0.3,
    quick: { parameters: { repetitions: 300 }, minutes: 0.1 },
  })),
  seeds: { quick: [1], paper: [1, 2, 3] },
  figures: ROWS.map(({ activation, label }) => ({
    name: activation,
    title: `Sensitivity by time step, ${label}`,
    shows:
      activation === 'relu'
        ? 'ReLU is nearly level over time.'
        : 'erf is erratic: it minds early steps alone, or late ones.',
    panels: PANELS.map(({ name, title }) => ({
      title,
      arm: activation,
      artifact: `figure-3-${activation}-${name}.png`,
    })),
  })),
  claims: [
    {
      name: 'relu-more-stable',
      text: 'ReLU gives a kernel that is more stable across time steps than erf.',
      source: 'Figure 3',
      statements: [{ above: 'relu', below: 'erf', metric: 'flatness' }],
    },
    {
      name: 'hidden-state',
      text: 'A σ_h above 0 reduces the importance of the first time steps, which makes the curve less level.',
      source: 'Section 3.4',
      statements: [{ above: 'relu', below: 'relu', metric: 'flatness/sigma-h/0', belowMetric: 'flatness/sigma-h/2' }],
    },
  ],
};
