import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { ENHANCED_MODELS, GRAPH_MODELS, SEVO_DATASETS } from '../presets/sevoPresets.ts';
import { cited } from '../published/papers.ts';

/** In the order of SEvo's Table 3. */
export const TIMED_BACKBONES = [...GRAPH_MODELS, ...ENHANCED_MODELS] as const;
export type TimedBackbone = (typeof TIMED_BACKBONES)[number];

export const sevoEfficiencyParameters = z.strictObject({
  settings: z
    .enum(['beauty', 'toys', 'tools', 'ml-1m'])
    .default('beauty')
    .describe(
      'The dataset whose hyper-parameters are taken, by the authors of SEvo: those of the presets sevo/BACKBONE-DATASET, whatever the dataset of the run is. Default beauty.',
    ),
  backbone: z
    .enum(TIMED_BACKBONES)
    .default('sasrec')
    .describe(
      `What is timed without and with SEvo: ${ENHANCED_MODELS.join(', ')}; or, without it only, a model with a graph inside: ${GRAPH_MODELS.join(', ')}. Default sasrec.`,
    ),
  warmUpEpochs: z
    .int()
    .min(0)
    .max(1000)
    .default(1)
    .describe('Epochs of a turn before those that count. Default 1: the first compiles kernels and fills memory.'),
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .default(2)
    .describe(
      'Epochs of a turn that count; the fastest of all turns is taken, as other work on the machine only adds. Default 2. More are steadier and take longer.',
    ),
  turns: z
    .int()
    .min(1)
    .max(100)
    .default(2)
    .describe(
      'How often a backbone is trained without and with SEvo, in alternating order, so that what slows the machine for a while meets both. Default 2. More are steadier and take longer.',
    ),
  requires: z
    .enum(['any', 'gpu'])
    .default('any')
    .describe(
      'What it computes on: any worker, or only one with a graphics processor, for which the run then waits. Default any.',
    ),
});

export type SevoEfficiencyParameters = z.output<typeof sevoEfficiencyParameters>;

export const sevoEfficiencyKind: BuiltInKind<'sevo-efficiency', typeof sevoEfficiencyParameters> = {
  kind: 'sevo-efficiency',
  version: 2,
  title: 'Efficiency of SEvo',
  description:
    'Seconds of an epoch of training, and of ranking all items for all users, of a backbone without and with SEvo, over a few epochs in turns on one machine. plain/time/epoch, plain/time/rank and the same of sevo stand at their epoch, counted over all turns; time-ratio/train and time-ratio/rank are the fastest with SEvo over the fastest without. Other work on the machine shows in the numbers.',
  source: cited('sevo', 'Section 5.2, Figure 3'),
  parameters: sevoEfficiencyParameters,
  data: 'sequences',
  presets: [
    ...SEVO_DATASETS.map(({ name, title, dataset, selection }) => ({
      name: `sevo/figure-3-${name}`,
      description: `${title}, Figure 3: training and inference time of a backbone, the authors’ hyper-parameters.`,
      dataset,
      ...(selection === undefined ? {} : { selection }),
      parameters: { settings: name },
    })),
    {
      name: 'demo/sevo-efficiency-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-1000x500',
      parameters: {},
    },
  ],
  primaryMetric: 'time-ratio/train',
};
