import type { z } from 'zod';
import type { KindDefinition } from '#src/catalog/kind.ts';
import { presetByName } from '#src/catalog/kinds.ts';
import { bert4RecKind } from '#src/catalog/kinds/bert4Rec.ts';
import { gru4RecKind } from '#src/catalog/kinds/gru4Rec.ts';
import { lessrKind } from '#src/catalog/kinds/lessr.ts';
import { lightGcnKind } from '#src/catalog/kinds/lightGcn.ts';
import { maeRecKind } from '#src/catalog/kinds/maeRec.ts';
import { mfBprKind } from '#src/catalog/kinds/mfBpr.ts';
import { sasRecKind } from '#src/catalog/kinds/sasRec.ts';
import type { SevoEfficiencyParameters, TimedBackbone } from '#src/catalog/kinds/sevoEfficiency.ts';
import { srGnnKind } from '#src/catalog/kinds/srGnn.ts';
import { stosaKind } from '#src/catalog/kinds/stosa.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { GRAPH_MODELS } from '#src/catalog/presets/sevoPresets.ts';
import { bert4Rec } from './bert4Rec.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { gru4Rec } from './gru4Rec.ts';
import { lessr } from './lessr.ts';
import { lightGcn } from './lightGcn.ts';
import { maeRec } from './maeRec.ts';
import { mfBpr } from './mfBpr.ts';
import { sasRec } from './sasRec.ts';
import { srGnn } from './srGnn.ts';
import { stosa } from './stosa.ts';
import { reporterWithin } from './reporterWithin.ts';

type Context = ExperimentContext<SevoEfficiencyParameters>;

interface Backbone {
  definition: KindDefinition;
  /** Trains and ranks with parameters as they may be given. */
  train(context: ExperimentContext<unknown>, given: Record<string, unknown>): Promise<void>;
}

function backbone<Schema extends z.ZodObject>(
  definition: KindDefinition<Schema>,
  experiment: Experiment<z.output<Schema>>,
): Backbone {
  const train: Backbone['train'] = (context, given) =>
    experiment({ ...context, parameters: parseParameters(definition, given) });
  return { definition, train };
}

const BACKBONES: Readonly<Record<TimedBackbone, Backbone>> = {
  lightgcn: backbone(lightGcnKind, lightGcn),
  'sr-gnn': backbone(srGnnKind, srGnn),
  lessr: backbone(lessrKind, lessr),
  maerec: backbone(maeRecKind, maeRec),
  'mf-bpr': backbone(mfBprKind, mfBpr),
  gru4rec: backbone(gru4RecKind, gru4Rec),
  sasrec: backbone(sasRecKind, sasRec),
  bert4rec: backbone(bert4RecKind, bert4Rec),
  stosa: backbone(stosaKind, stosa),
};

type Way = 'plain' | 'sevo';
const PHASES = ['train', 'rank'] as const;
type Phase = (typeof PHASES)[number];

/** Seconds of the epochs that count, by way and phase. */
type Seconds = Readonly<Record<Way, Record<Phase, number[]>>>;

/** SEvo, Figure 3: seconds of training and of ranking of a backbone without and with SEvo, in turns, and their ratios. */
export const sevoEfficiency: Experiment<SevoEfficiencyParameters> = async (context) => {
  const { parameters, reporter } = context;
  const hasGraph = GRAPH_MODELS.some((model) => model === parameters.backbone);
  const ways: readonly Way[] = hasGraph ? ['plain'] : ['plain', 'sevo'];
  const seconds: Seconds = { plain: { train: [], rank: [] }, sevo: { train: [], rank: [] } };
  for (let turn = 0; turn < parameters.turns; turn++) {
    // the one or the other first in turn
    for (const [place, way] of (turn % 2 === 0 ? ways : ways.toReversed()).entries()) {
      const done = (turn + place / ways.length) / parameters.turns;
      await timeTraining(context, seconds, { way, turn, done, share: 1 / ways.length });
    }
  }
  if (ways.includes('sevo')) {
    for (const phase of PHASES) {
      const ratio = Math.min(...seconds.sevo[phase]) / Math.min(...seconds.plain[phase]);
      reporter.metric(`time-ratio/${phase}`, 0, ratio);
    }
  }
  reporter.progress(1, 'done');
};

/** Trains as the authors' preset does, with a validation after each epoch: its ranking is what is timed. */
async function timeTraining(
  context: Context,
  seconds: Seconds,
  { way, turn, done, share }: { way: Way; turn: number; done: number; share: number },
): Promise<void> {
  const { parameters, reporter } = context;
  const { backbone: name, settings, warmUpEpochs, turns } = parameters;
  const { definition, train } = BACKBONES[name];
  const epochs = warmUpEpochs + parameters.epochs;
  const take = (metric: 'time/epoch' | 'time/rank', epoch: number, value: number): void => {
    reporter.metric(`${way}/${metric}`, turn * epochs + epoch, value);
    if (epoch > warmUpEpochs) seconds[way][metric === 'time/epoch' ? 'train' : 'rank'].push(value);
  };
  let ranked = 0;
  const ofTraining = reporterWithin(reporter, {
    metric: (metric, epoch, value) => {
      if (metric === 'time/epoch') take('time/epoch', epoch, value);
    },
    timing: (phase, value) => {
      reporter.timing(phase, value);
      // the last is the test
      if (phase === 'evaluate' && ++ranked <= epochs) take('time/rank', ranked, value);
    },
    log: (level, text) => reporter.log(level, `${way}: ${text}`),
    progress: (fraction, message) => reporter.progress(done + (fraction * share) / turns, `${way}: ${message}`),
    artifact: () => undefined,
    checkpoint: () => undefined,
    note: () => undefined,
  });
  const preset = presetByName(definition, `sevo/${name}-${settings}${way === 'sevo' ? '-sevo' : ''}`);
  await train(
    { ...context, reporter: ofTraining, checkpoint: null },
    {
      ...preset.parameters,
      epochs,
      evaluateEvery: 1,
      checkpointEvery: 0,
      patience: 0,
      ...(name === 'mf-bpr' ? {} : { select: 'last' }),
    },
  );
}
