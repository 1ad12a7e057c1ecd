import type { z } from 'zod';
import type { KindDefinition } from '#src/catalog/kind.ts';
import { presetByName } from '#src/catalog/kinds.ts';
import { bert4RecKind } from '#src/catalog/kinds/bert4Rec.ts';
import { gru4RecKind } from '#src/catalog/kinds/gru4Rec.ts';
import { lightGcnKind } from '#src/catalog/kinds/lightGcn.ts';
import { mfBprKind } from '#src/catalog/kinds/mfBpr.ts';
import { sasRecKind } from '#src/catalog/kinds/sasRec.ts';
import type { SevoEfficiencyParameters, TimedBackbone } from '#src/catalog/kinds/sevoEfficiency.ts';
import { stosaKind } from '#src/catalog/kinds/stosa.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import type { OpenBackend } from '../tensor/openedBackend.ts';
import { bert4Rec } from './bert4Rec.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { gru4Rec } from './gru4Rec.ts';
import { lightGcn } from './lightGcn.ts';
import { mfBpr } from './mfBpr.ts';
import { sasRec } from './sasRec.ts';
import { stosa } from './stosa.ts';
import { decodeArms, encodeArms } from './studies/armCheckpoint.ts';
import { type EfficiencyArm, reportEfficiency } from './studies/efficiencyFigures.ts';
import { MetricRecord } from './studies/metricRecord.ts';
import { reporterWithin } from './studies/reporterWithin.ts';

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
  'mf-bpr': backbone(mfBprKind, mfBpr),
  gru4rec: backbone(gru4RecKind, gru4Rec),
  sasrec: backbone(sasRecKind, sasRec),
  bert4rec: backbone(bert4RecKind, bert4Rec),
  stosa: backbone(stosaKind, stosa),
};

/** SEvo, Figure 3: seconds of training and of ranking, each backbone without and with SEvo, and their ratios. */
export const sevoEfficiency: Experiment<SevoEfficiencyParameters> = async (context) => {
  const { parameters, reporter } = context;
  const record = new MetricRecord(reporter);
  let backend: Promise<OpenBackend> | undefined;
  const openTensorBackend = (): Promise<OpenBackend> => (backend ??= context.openTensorBackend());
  const arms = parameters.backbones.flatMap((name) => turnsOf(name, parameters.turns));
  const timed = restored(context, record);
  for (const [place, arm] of arms.entries()) {
    if (place < timed) continue;
    await timeArm({ ...context, openTensorBackend }, record, { arm, place, arms: arms.length });
    const saved = {
      place: place + 1,
      metrics: record.saved(),
      embeddings: new Map(),
      step: 0,
      bytes: new Uint8Array(),
    };
    reporter.checkpoint(0, encodeArms(saved));
  }
  await reportEfficiency(context, record, arms);
  reporter.progress(1, 'done');
};

/** Without and with SEvo in each turn, the one or the other first in turn. */
function turnsOf(name: TimedBackbone, turns: number): EfficiencyArm[] {
  const ways: readonly EfficiencyArm['way'][] = name === 'lightgcn' ? ['plain'] : ['plain', 'sevo'];
  return Array.from({ length: turns }, (_, turn) =>
    (turn % 2 === 0 ? ways : ways.toReversed()).map((way) => ({ backbone: name, way, turn })),
  ).flat();
}

/** How many arms an earlier attempt has timed; their metrics are reported again. */
function restored({ checkpoint, reporter }: Context, record: MetricRecord): number {
  const found = checkpoint === null ? null : decodeArms(checkpoint.bytes);
  if (found === null || !record.restore(found.metrics)) return 0;
  reporter.log('info', `the first ${found.place} ways were timed by an earlier attempt, maybe on another machine`);
  return found.place;
}

/** Trains as the authors' preset does, with a validation after each epoch: its ranking is what is timed. */
async function timeArm(
  context: Context,
  record: MetricRecord,
  { arm, place, arms }: { arm: EfficiencyArm; place: number; arms: number },
): Promise<void> {
  const { parameters, reporter } = context;
  const { definition, train } = BACKBONES[arm.backbone];
  const name = `${arm.backbone}/${arm.way}`;
  const epochs = parameters.warmUpEpochs + parameters.epochs;
  const before = arm.turn * epochs;
  let ranked = 0;
  const ofArm = reporterWithin(reporter, {
    metric: (metric, step, value) => {
      if (metric === 'time/epoch') record.metric(`${name}/time/epoch`, before + step, value);
    },
    timing: (phase, seconds) => {
      reporter.timing(phase, seconds);
      // the last is the test
      if (phase === 'evaluate' && ++ranked <= epochs) record.metric(`${name}/time/rank`, before + ranked, seconds);
    },
    log: (level, text) => reporter.log(level, `${name}: ${text}`),
    progress: (fraction, message) => reporter.progress((place + fraction) / arms, `${name}: ${message}`),
    artifact: () => undefined,
    checkpoint: () => undefined,
    note: () => undefined,
  });
  const preset = presetByName(
    definition,
    `sevo/${arm.backbone}-${parameters.settings}${arm.way === 'sevo' ? '-sevo' : ''}`,
  );
  await train(
    { ...context, reporter: ofArm, checkpoint: null },
    {
      ...preset.parameters,
      ...{ epochs, evaluateEvery: 1, checkpointEvery: 0, patience: 0 },
      ...(arm.backbone === 'mf-bpr' ? {} : { select: 'last' }),
    },
  );
}
