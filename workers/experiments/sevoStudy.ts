import { type SasRecParameters, sasRecKind } from '#src/catalog/kinds/sasRec.ts';
import type { SevoStudyParameters } from '#src/catalog/kinds/sevoStudy.ts';
import { type MapSettings, mapSettings } from '#src/catalog/parameters/mapParameters.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { type SevoStudy, STUDY_OF, type StudyArm } from '#src/catalog/presets/sevoStudies.ts';
import { WarrenError } from '#src/contracts/errors.ts';
import { decodeNpyTable } from '#src/contracts/npyTable.ts';
import type { OpenBackend } from '../tensor/openedBackend.ts';
import { type ItemLabels, itemLabels } from './embeddings/itemLabels.ts';
import { mapEmbeddings } from './embeddings/mappedEmbeddings.ts';
import { type ArmCheckpoint, decodeArms, encodeArms } from './studies/armCheckpoint.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { MetricRecord } from './studies/metricRecord.ts';
import { reporterWithin } from './studies/reporterWithin.ts';
import { sasRec } from './sasRec.ts';
import { reportStudy } from './studies/sevoStudyFigures.ts';

type Context = ExperimentContext<SevoStudyParameters>;

interface Study {
  context: Context;
  record: MetricRecord;
  /** Embeddings of items by the name of the way, where the study draws them. */
  embeddings: Map<string, Uint8Array>;
  openTensorBackend: () => Promise<OpenBackend>;
}

const VALIDATION = 'valid/ndcg@10';

/** SEvo, Sections 5.3 to 5.6: SASRec trained in the ways of one study, one after the other, and the figure that compares them. */
export const sevoStudy: Experiment<SevoStudyParameters> = async (context) => {
  const { parameters, reporter, dataset } = context;
  const { arms, figure } = STUDY_OF[parameters.study];
  const record = new MetricRecord(reporter);
  // before training: a dataset without genres is refused at once
  const settings = mapSettings.parse(parameters.map ?? {});
  const labels = figure.form === 'maps' ? await itemLabels(context, settings.labels) : null;
  let backend: Promise<OpenBackend> | undefined;
  const openTensorBackend = (): Promise<OpenBackend> => (backend ??= context.openTensorBackend());
  const resumed = restored(context, record);
  const study = { context, record, embeddings: new Map(resumed?.embeddings), openTensorBackend };
  for (const [place, arm] of arms.entries()) {
    if (place < (resumed?.place ?? 0)) continue;
    await trainArm(study, { arm, place, resumed: resumed?.place === place ? resumed : null });
  }
  reportBest(study);
  if (labels !== null) await drawMaps(study, { labels, settings });
  const cutoff = parameters.cutoffs.includes(10) ? 10 : Math.max(...parameters.cutoffs);
  await reportStudy(reporter, { study: parameters.study, record, cutoff, datasetName: dataset.name });
  reporter.progress(1, 'done');
};

/** What the run's checkpoint holds; its metrics are reported again. Null where there is none that fits. */
function restored({ checkpoint, reporter }: Context, record: MetricRecord): ArmCheckpoint | null {
  if (checkpoint === null) return null;
  const found = decodeArms(checkpoint.bytes);
  if (found !== null && record.restore(found.metrics)) return found;
  reporter.log('warn', 'the checkpoint cannot be used: all ways are trained anew');
  return null;
}

/** Trains in one way; one that diverges is said so and has no test metrics. */
async function trainArm(
  { context, record, embeddings, openTensorBackend }: Study,
  { arm, place, resumed }: { arm: StudyArm; place: number; resumed: ArmCheckpoint | null },
): Promise<void> {
  const { parameters, reporter } = context;
  const { arms, figure } = STUDY_OF[parameters.study];
  const share = trainingShare(figure) / arms.length;
  const ofArm = reporterWithin(reporter, {
    metric: (name, step, value) => record.metric(`${arm.name}/${name}`, step, value),
    log: (level, text) => reporter.log(level, `${arm.name}: ${text}`),
    progress: (fraction, message) => reporter.progress(share * (place + fraction), `${arm.label}: ${message}`),
    artifact: (name, bytes, mediaType) => {
      reporter.artifact(`${arm.name}/${name}`, bytes, mediaType);
      if (figure.form === 'maps' && name === 'item-embeddings.npy') embeddings.set(arm.name, bytes.slice());
    },
    checkpoint: (step, bytes) =>
      reporter.checkpoint(0, encodeArms({ place, metrics: record.saved(), embeddings, step, bytes })),
    note: (name, value) => reporter.note(`${arm.name}/${name}`, value),
  });
  try {
    await sasRec({
      ...context,
      parameters: parametersOf(parameters, arm),
      reporter: ofArm,
      checkpoint: resumed === null ? null : { step: resumed.step, bytes: resumed.bytes },
      openTensorBackend,
    });
  } catch (thrown) {
    if (!(thrown instanceof WarrenError) || thrown.code !== 'RUN_FAILED') throw thrown;
    ofArm.log('warn', thrown.message);
  }
}

/** The part of the progress that training is. */
function trainingShare({ form }: SevoStudy['figure']): number {
  return form === 'maps' ? 0.9 : 1;
}

/** Figure 8: the embeddings of the ways that did not diverge, side by side. */
async function drawMaps(
  { context, embeddings }: Study,
  { labels, settings }: { labels: ItemLabels; settings: MapSettings },
): Promise<void> {
  const { reporter, dataset, parameters } = context;
  const { arms, source, figure } = STUDY_OF[parameters.study];
  const trained = arms.flatMap(({ name, label }) => {
    const file = embeddings.get(name);
    if (file === undefined) return [];
    const { values, columns } = decodeNpyTable(file, name);
    return [{ name, label, values, width: columns }];
  });
  const share = trainingShare(figure);
  await mapEmbeddings(context, {
    embeddings: trained,
    labels,
    settings,
    title: `SEvo ${source}, UMAP of item embeddings: ${dataset.name}`,
    progress: (done, message) => reporter.progress(share + (1 - share) * done, message),
  });
}

/** The study's parameters with what differs in this way. */
function parametersOf({ study: _, map: __, ...training }: SevoStudyParameters, arm: StudyArm): SasRecParameters {
  const { smoothing: common, ...optimizer } = training.optimizer;
  const { graph, ...own } = arm.smoothing ?? {};
  const weights = { ...common?.graph.weights, ...weightsOf(graph) };
  const smoothing = { ...common, ...own, graph: { ...common?.graph, ...objectOf(graph), weights } };
  return parseParameters(sasRecKind, {
    ...training,
    optimizer: { ...optimizer, ...arm.optimizer, ...(arm.smoothing === null ? {} : { smoothing }) },
  });
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function weightsOf(graph: unknown): object {
  const found = objectOf(graph);
  return 'weights' in found ? objectOf(found.weights) : {};
}

/** `test/…` of the way with the best validation, at its step, and which one that is. */
function reportBest({ context, record }: Study): void {
  const { arms } = STUDY_OF[context.parameters.study];
  const hasEnded = (name: string): boolean => record.names(`${name}/test/`).length > 0;
  const scoreOf = ({ name }: StudyArm): number =>
    hasEnded(name) ? Math.max(-1, ...record.series(`${name}/${VALIDATION}`).values()) : -2;
  if (!arms.some(({ name }) => hasEnded(name))) {
    throw new WarrenError(
      'RUN_FAILED',
      `none of the ${arms.length} ways trained to the end; choose a smaller learningRate than ${context.parameters.optimizer.learningRate}`,
      { path: 'parameters.optimizer.learningRate' },
    );
  }
  const best = arms.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
  context.reporter.note('bestArm', best.name);
  for (const name of record.names(`${best.name}/test/`)) {
    for (const [step, value] of record.series(name)) record.metric(name.slice(best.name.length + 1), step, value);
  }
}
