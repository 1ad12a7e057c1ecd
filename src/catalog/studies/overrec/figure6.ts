import type { Study, StudyArm } from '../study.ts';

const SIGMAS = [0.3, 0.5, 0.8, 1, 1.2, Math.SQRT2] as const;
const KERNELS = [
  { kernel: 'rntk', label: 'OverRec (RNTK)', preset: 'overrec' },
  { kernel: 'nngp', label: 'NNGP-RNN', preset: 'nngp' },
] as const;
type Kernel = (typeof KERNELS)[number];

const short = (sigma: number): string => String(Number(sigma.toPrecision(4)));

interface Point {
  sigmaW: number;
  sigmaU: number;
  sigmaV: number;
}
const OWN: Point = { sigmaW: 1, sigmaU: 1, sigmaV: 1 };

const nameOf = ({ kernel }: Kernel, { sigmaW, sigmaU, sigmaV }: Point): string =>
  `${kernel}/w${short(sigmaW)}-u${short(sigmaU)}-v${short(sigmaV)}`;

function armOf(kernel: Kernel, point: Point): StudyArm {
  return {
    name: nameOf(kernel, point),
    label: `${kernel.label}, σ_W ${short(point.sigmaW)}, σ_U ${short(point.sigmaU)}, σ_V ${short(point.sigmaV)}`,
    kind: 'overrec',
    preset: `overrec/table-2-${kernel.preset}-beauty`,
    parameters: { ...point },
    deterministic: true,
    minutes: 0.5,
  };
}

/** σ_W with σ_U, as the maps of the figure have it, and σ_V alone. */
const POINTS: readonly Point[] = [
  ...SIGMAS.flatMap((sigmaW) => SIGMAS.map((sigmaU) => ({ ...OWN, sigmaW, sigmaU }))),
  ...SIGMAS.filter((sigma) => sigma !== 1).map((sigmaV) => ({ ...OWN, sigmaV })),
];

const mrr = (kernel: Kernel, point: Point) => ({ arm: nameOf(kernel, point), metric: 'test/mrr@5' });
const [RNTK, NNGP] = KERNELS;

/** OverRec, Figure 6: sensitivity to the variances of the kernel. */
export const overrecFigure6Study: Study = {
  name: 'overrec/figure-6',
  title: 'Sensitivity to the variances of the kernel',
  source: 'Figure 6, Section VI-E',
  notes:
    'Amazon Beauty by the authors’ un-normalised kernels: in the exact one σ_U and σ_V cannot change a ranking (errata 9). A curve is one value of σ_U.',
  arms: KERNELS.flatMap((kernel) => POINTS.map((point) => armOf(kernel, point))),
  seeds: { quick: [1], paper: [1] },
  figures: [
    {
      name: 'mrr-5',
      title: 'MRR@5 by σ_W and σ_U',
      shows:
        'For most choices performance is stable; with growing σ_W OverRec drops, and at √2 it fails, where NNGP-RNN still does well.',
      panels: KERNELS.map((kernel) => ({
        title: kernel.label,
        form: 'line' as const,
        x: { label: 'σ_W' },
        y: { label: 'MRR@5' },
        series: SIGMAS.map((sigmaU) => ({
          label: `σ_U = ${short(sigmaU)}`,
          points: SIGMAS.map((sigmaW) => ({ x: sigmaW, value: mrr(kernel, { ...OWN, sigmaW, sigmaU }) })),
        })),
      })),
    },
    {
      name: 'mrr-5-sigma-v',
      title: 'MRR@5 by σ_V',
      shows: 'σ_V scales all values alike.',
      panels: KERNELS.map((kernel) => ({
        title: kernel.label,
        form: 'line' as const,
        x: { label: 'σ_V' },
        y: { label: 'MRR@5' },
        series: [
          {
            label: kernel.label,
            points: SIGMAS.map((sigmaV) => ({ x: sigmaV, value: mrr(kernel, { ...OWN, sigmaV }) })),
          },
        ],
      })),
    },
  ],
  claims: [
    {
      name: 'drops-with-sigma-w',
      text: 'When σ_W is increased the performance of OverRec drops, until at √2 it fails.',
      source: 'Section VI-E',
      statements: SIGMAS.map((sigmaU) => ({
        above: nameOf(RNTK, { ...OWN, sigmaW: 1, sigmaU }),
        below: nameOf(RNTK, { ...OWN, sigmaW: Math.SQRT2, sigmaU }),
        metric: 'test/mrr@5',
      })),
    },
    {
      name: 'nngp-survives',
      text: 'At σ_W = √2 NNGP-RNN still performs well, better than OverRec.',
      source: 'Section VI-E',
      statements: SIGMAS.map((sigmaU) => ({
        above: nameOf(NNGP, { ...OWN, sigmaW: Math.SQRT2, sigmaU }),
        below: nameOf(RNTK, { ...OWN, sigmaW: Math.SQRT2, sigmaU }),
        metric: 'test/mrr@5',
      })),
    },
    {
      name: 'nngp-lower-best',
      text: 'NNGP-RNN cannot achieve the highest performance of OverRec.',
      source: 'Section VI-E',
      statements: [
        {
          value: {
            parts: KERNELS.flatMap((kernel) => POINTS.map((point) => mrr(kernel, point))),
            combine: (values) => Math.max(...values.slice(0, POINTS.length)) / Math.max(...values.slice(POINTS.length)),
            words: 'best MRR@5 of OverRec over that of NNGP-RNN',
          },
          words: 'best MRR@5 of OverRec over that of NNGP-RNN',
          from: 1,
        },
      ],
    },
  ],
};
