import type { StudyArm } from '../study.ts';

/** Representations, as the rows of Table 1; d is the length of h. */
export const REPRESENTATIONS = ['h', 'avg-h', 'phi-d', 'phi-2d'] as const;
export type Representation = (typeof REPRESENTATIONS)[number];

/** The two tasks on MovieLens 1M, and the measures that Table 1 prints of them. */
export const TASKS = {
  'task-1': {
    label: 'ML-1m Task1 (genre)',
    kind: 'featurize-genre',
    minutes: 10,
    /** Of the ratio of deviations. */
    stability: 'stability',
    measures: [
      { metric: 'accuracy', printed: 'accuracy', label: 'Accuracy' },
      { metric: 'macro-f1', printed: 'macroF1', label: 'F1-Macro' },
    ],
  },
  'task-2': {
    label: 'ML-1m Task2 (next movie)',
    kind: 'featurize-sequential',
    minutes: 90,
    stability: 'sampled-stability',
    measures: [
      { metric: 'sampled-recall@5', printed: 'recall5', label: 'Recall@5' },
      { metric: 'sampled-ndcg@5', printed: 'ndcg5', label: 'NDCG@5' },
    ],
  },
} as const;
export type TaskName = keyof typeof TASKS;
export const TASK_NAMES: readonly TaskName[] = ['task-1', 'task-2'];

const QUICK = {
  'task-1': { parameters: { pretrainings: 3, epochs: 2 }, dataset: { maximumUsers: 1000 }, minutes: 0.5 },
  'task-2': {
    parameters: { pretrainings: 3, doc2vec: { epochs: 20 }, towers: { epochs: 2 } },
    dataset: { maximumUsers: 600 },
    minutes: 1,
  },
} as const;

/**
 * A task with all its pretrainings: they are one run, since avg(h), h and φ of every length are made from the same ones. `suffix`
 * ends the preset's name.
 */
export function taskArm(task: TaskName, suffix: string, label: string): StudyArm {
  const { kind, minutes } = TASKS[task];
  return {
    name: `${task}${suffix}`,
    label,
    kind,
    preset: `featurizing/${task}${suffix}`,
    minutes,
    quick: QUICK[task],
  };
}

/** Of runs that hold ten pretrainings each. */
export const PRETRAINING_SEEDS = { quick: [1], paper: [1, 2, 3] } as const;
