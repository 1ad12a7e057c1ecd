import { flattenJson } from '#src/base/lib/flattenJson.ts';
import { mlflowRunId } from '#src/mlflow/trackedRuns.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { type DatasetInputRecord, listDatasetInputs } from '#src/mlflow/store/datasetInput.ts';
import type { ExperimentRecord } from '#src/mlflow/store/experimentRecord.ts';
import { listLoggedModels, listModelInputs } from '#src/mlflow/store/loggedModel.ts';
import { latestMetricsJson, type TrackedRun } from '#src/mlflow/store/trackedRun.ts';

/** The largest double: MLflow's answers know no infinity. */
const LARGEST = Number.MAX_VALUE;

/** A value of a metric as JSON can write it. */
export function metricValue(value: number): number | 'NaN' {
  if (Number.isNaN(value)) return 'NaN';
  return Math.min(LARGEST, Math.max(-LARGEST, value));
}

function pairs(values: Readonly<Record<string, string>>): { key: string; value: string }[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}

/** Where clients of an experiment keep files: through the server, unless it was made with a place of its own. */
export function experimentLocation({
  artifactLocation,
  number,
}: Pick<ExperimentRecord, 'artifactLocation' | 'number'>): string {
  return artifactLocation ?? `mlflow-artifacts:/${number}`;
}

/** An experiment in MLflow's form. */
export function experimentAnswer(experiment: ExperimentRecord): Record<string, unknown> {
  const { number, name, deletedAt, createdAt, updatedAt, tags } = experiment;
  return {
    experiment_id: String(number),
    name,
    artifact_location: experimentLocation(experiment),
    lifecycle_stage: deletedAt === null ? 'active' : 'deleted',
    last_update_time: updatedAt.getTime(),
    creation_time: createdAt.getTime(),
    ...(Object.keys(tags).length === 0 ? {} : { tags: pairs(tags) }),
    // the only one
    workspace: 'default',
  };
}

function statusOf({ state, reportedStatus }: TrackedRun): string {
  switch (state) {
    case 'WAITING':
    case 'QUEUED':
      return 'SCHEDULED';
    case 'RUNNING':
      return reportedStatus === 'SCHEDULED' ? 'SCHEDULED' : 'RUNNING';
    case 'SUCCEEDED':
      return 'FINISHED';
    case 'CANCELLED':
    case 'PRUNED':
      return 'KILLED';
    case 'FAILED':
    case 'CRASHED':
      return 'FAILED';
  }
}

/** Where the files of a run are. */
export function artifactUri({ id, experimentNumber: number, artifactLocation }: TrackedRun): string {
  const root = experimentLocation({ number, artifactLocation });
  return `${root.replace(/\/+$/, '')}/${mlflowRunId(id)}/artifacts`;
}

/** The facts of a run in MLflow's form. */
export function runInfoAnswer(run: TrackedRun): Record<string, unknown> {
  const id = mlflowRunId(run.id);
  return {
    run_uuid: id,
    experiment_id: String(run.experimentNumber),
    run_name: run.name,
    user_id: run.userName ?? '',
    status: statusOf(run),
    start_time: run.startMs ?? 0,
    ...(run.endMs === null ? {} : { end_time: run.endMs }),
    artifact_uri: artifactUri(run),
    lifecycle_stage: run.deletedAt === null ? 'active' : 'deleted',
    run_id: id,
  };
}

/** The parameters of a run as texts; those of Warren's own runs under dotted names. */
function parameterTexts(run: TrackedRun): Record<string, string> {
  if (run.parameterTexts !== null) return run.parameterTexts;
  const leaves = Object.entries(run.parameters).flatMap(([key, value]) => flattenJson(value, key));
  return Object.fromEntries(
    leaves.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function tagsOf(run: TrackedRun): Record<string, string> {
  const tags = run.tags ?? {};
  // its name may have been changed elsewhere
  return Object.hasOwn(tags, 'mlflow.runName') ? { ...tags, 'mlflow.runName': run.name } : tags;
}

function datasetAnswer(input: DatasetInputRecord): Record<string, unknown> {
  const { name, digest, sourceType, source, schema, profile, tags } = input;
  return {
    ...(Object.keys(tags).length === 0 ? {} : { tags: pairs(tags) }),
    dataset: {
      ...{ name, digest, source_type: sourceType, source },
      ...(schema === null ? {} : { schema }),
      ...(profile === null ? {} : { profile }),
    },
  };
}

/** The JSON texts of runs in MLflow's form, in the order given. */
export async function runAnswers(
  connection: Connection,
  runs: readonly TrackedRun[],
  { isNew = false } = {},
): Promise<string[]> {
  const ids = runs.map(({ id }) => id);
  const [metrics, inputs, models, modelInputs] = await Promise.all([
    latestMetricsJson(connection, ids),
    listDatasetInputs(connection, ids),
    listLoggedModels(connection, ids),
    listModelInputs(connection, ids),
  ]);
  const inputsOf = groupByRun(inputs);
  const modelsOf = groupByRun(models);
  const usedModels = new Map(modelInputs.map((one) => [one.runId, one.ids.map((id) => ({ model_id: id }))]));
  return runs.map((run) => {
    const params = pairs(parameterTexts(run));
    const tags = pairs(tagsOf(run));
    const ofRun = metrics.get(run.id);
    const data = [
      ...(ofRun === undefined ? [] : [`"metrics": ${ofRun}`]),
      ...(params.length === 0 ? [] : [`"params": ${JSON.stringify(params)}`]),
      ...(tags.length === 0 ? [] : [`"tags": ${JSON.stringify(tags)}`]),
    ];
    const used = inputsOf.get(run.id) ?? [];
    const ofModels = usedModels.get(run.id) ?? [];
    const taken = {
      ...(used.length === 0 ? {} : { dataset_inputs: used.map(datasetAnswer) }),
      ...(ofModels.length === 0 ? {} : { model_inputs: ofModels }),
    };
    const outputs = (modelsOf.get(run.id) ?? []).filter(({ model }) => model.step !== null);
    const put = outputs.map(({ model }) => ({ model_id: model.id, step: model.step }));
    const made = put.length === 0 ? {} : { model_outputs: put };
    return `{"info": ${JSON.stringify(runInfoAnswer(run))}, "data": {${data.join(', ')}}, "inputs": ${JSON.stringify(taken)}${isNew ? '' : `, "outputs": ${JSON.stringify(made)}`}}`;
  });
}

function groupByRun<Part extends { runId: string }>(parts: readonly Part[]): Map<string, Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const group = groups.get(part.runId);
    if (group === undefined) groups.set(part.runId, [part]);
    else group.push(part);
  }
  return groups;
}
