import type { Study } from '../study.ts';
import { PRETRAINING_SEEDS, TASK_NAMES, TASKS, taskArm } from './tasks.ts';

const VARIANCES = [
  { variance: 0.2, suffix: '-variance-02' },
  { variance: 0.4, suffix: '-variance-04' },
  { variance: 0.6, suffix: '-variance-06' },
  { variance: 0.8, suffix: '-variance-08' },
] as const;

/** Featurizing, Figure A.4: sensitivity to the distribution that directions are drawn from. */
export const featurizingFigureA4Study: Study = {
  name: 'featurizing/figure-a4',
  title: 'Sensitivity to the variance of Q',
  source: 'Figure A.4, Appendix F.3',
  arms: TASK_NAMES.flatMap((task) =>
    VARIANCES.map(({ variance, suffix }) => taskArm(task, suffix, `${task}, σ_Q² = ${variance}`)),
  ),
  seeds: PRETRAINING_SEEDS,
  figures: [
    {
      name: 'by-variance',
      title: 'Performance of φ_d(h) by σ_Q²',
      shows: 'The downstream task is very stable under different σ_Q.',
      panels: TASK_NAMES.flatMap((task) =>
        TASKS[task].measures.map(({ metric, label }) => ({
          title: `${TASKS[task].label}: ${label}`,
          form: 'line' as const,
          x: { label: 'σ_Q²' },
          y: { label, scale: 100 },
          series: [
            {
              label: 'φ_d(h)',
              points: VARIANCES.map(({ variance, suffix }) => ({
                x: variance,
                value: { arm: `${task}${suffix}`, metric: `phi-d/mean-${metric}` },
              })),
            },
          ],
        })),
      ),
    },
  ],
  claims: [
    {
      name: 'robust',
      text: 'φ_d(h) is very stable under different σ_Q (here: the best of the four is at most 5 % above the worst).',
      source: 'Appendix F.3',
      statements: TASK_NAMES.map((task) => ({
        value: {
          parts: VARIANCES.map(({ suffix }) => ({
            arm: `${task}${suffix}`,
            metric: `phi-d/mean-${TASKS[task].measures[0].metric}`,
          })),
          combine: (values: readonly number[]) => Math.max(...values) / Math.min(...values),
          words: 'best over worst of the four variances',
        },
        words: `best over worst of the four variances, ${TASKS[task].label}`,
        to: 1.05,
      })),
    },
  ],
};
