import type { Study } from '../study.ts';
import { PRETRAINING_SEEDS, TASK_NAMES, TASKS, taskArm } from './tasks.ts';

const DIMENSIONS = [
  { d: 16, suffix: '-d16' },
  { d: 32, suffix: '' },
  { d: 64, suffix: '-d64' },
] as const;
const SERIES = [
  { row: 'h', label: 'h_d' },
  { row: 'phi-d', label: 'φ_d(h)' },
  { row: 'phi-2d', label: 'φ_2d(h)' },
] as const;

/** Featurizing, Figure A.3: sensitivity to the dimension. */
export const featurizingFigureA3Study: Study = {
  name: 'featurizing/figure-a3',
  title: 'Sensitivity to the dimension d of the representation',
  source: 'Figure A.3, Appendix F.3',
  arms: TASK_NAMES.flatMap((task) => DIMENSIONS.map(({ d, suffix }) => taskArm(task, suffix, `${task}, d = ${d}`))),
  seeds: PRETRAINING_SEEDS,
  figures: [
    {
      name: 'by-dimension',
      title: 'Performance by d',
      shows: 'φ_d(h) is above h at every d, φ_2d(h) above both, with smaller deviations.',
      panels: TASK_NAMES.flatMap((task) =>
        TASKS[task].measures.map(({ metric, label }) => ({
          title: `${TASKS[task].label}: ${label}`,
          form: 'line' as const,
          x: { label: 'd' },
          y: { label, scale: 100 },
          series: SERIES.map((one) => ({
            label: one.label,
            points: DIMENSIONS.map(({ d, suffix }) => ({
              x: d,
              value: { arm: `${task}${suffix}`, metric: `${one.row}/mean-${metric}` },
            })),
          })),
        })),
      ),
    },
  ],
  claims: [
    {
      name: 'above-h-everywhere',
      text: 'φ_d(h) consistently outperforms h_d in both tasks, and φ_2d(h) improves on it.',
      source: 'Appendix F.3',
      statements: TASK_NAMES.flatMap((task) =>
        DIMENSIONS.flatMap(({ suffix }) => {
          const arm = `${task}${suffix}`;
          const { metric } = TASKS[task].measures[0];
          return [
            { above: arm, below: arm, metric: `phi-d/mean-${metric}`, belowMetric: `h/mean-${metric}` },
            { above: arm, below: arm, metric: `phi-2d/mean-${metric}`, belowMetric: `phi-d/mean-${metric}` },
          ];
        }),
      ),
    },
    {
      name: 'smaller-deviations',
      text: 'φ_d(h) has considerably smaller variances than h.',
      source: 'Appendix F.3',
      statements: TASK_NAMES.flatMap((task) =>
        DIMENSIONS.map(({ d, suffix }) => ({
          value: { arm: `${task}${suffix}`, metric: `${TASKS[task].stability}/phi-d` },
          words: `deviation of h over that of φ_d, ${TASKS[task].label}, d = ${d}`,
          from: 2,
        })),
      ),
    },
  ],
};
