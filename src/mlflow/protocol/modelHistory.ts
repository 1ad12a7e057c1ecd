import { badInput } from '#src/base/contracts/errors.ts';
import { asPlainObject, isPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';
import { appendToTag } from '#src/mlflow/logToRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { readRequest } from './request.ts';

/** The tag of a run in which clients look for the models that were logged without an id of their own. */
const HISTORY_TAG = 'mlflow.log-model.history';
const REQUIRED = ['artifact_path', 'flavors', 'run_id', 'utc_time_created'];

/**
 * Notes a model that a client has put among the files of a run, as those of MLflow 2 do: the list of them is a tag.
 * @throws WarrenError NOT_FOUND, BAD_INPUT.
 */
export async function logModel(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, { run_id: 'string!', model_json: 'string!' });
  const model = readModel(request.model_json);
  const missing = REQUIRED.filter((name) => !Object.hasOwn(model, name));
  if (missing.length > 0) {
    throw badInput(`Model json is missing mandatory fields: {${missing.map((name) => `'${name}'`).join(', ')}}`);
  }
  await appendToTag(services, { runId: request.run_id, key: HISTORY_TAG, item: summaryOf(model) });
  return {};
}

function readModel(text: string): PlainObject {
  try {
    return asPlainObject(JSON.parse(text));
  } catch {
    throw badInput(`Malformed model info. \n ${text} \n is not a valid JSON.`, 'model_json');
  }
}

/** What MLflow keeps of a model: its flavors without their `config`, and where it is. */
function summaryOf(model: PlainObject): PlainObject {
  const { run_id, artifact_path, utc_time_created, model_uuid = null } = model;
  const flavors = Object.entries(asPlainObject(model.flavors) ?? {}).map(([name, flavor]) => {
    if (!isPlainObject(flavor)) return [name, flavor];
    return [name, Object.fromEntries(Object.entries(flavor).filter(([key]) => key !== 'config'))];
  });
  return { run_id, artifact_path, utc_time_created, model_uuid, flavors: Object.fromEntries(flavors) };
}
