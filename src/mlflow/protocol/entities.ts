import { posix } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import type { KeyedText } from '#src/mlflow/logToRun.ts';
import type { MetricPointInput } from '#src/metrics/store/pointColumns.ts';
import { integerOf, keyedObjects, missingField, numberOf, shownJson } from './request.ts';

// Limits and texts of mlflow/utils/validation.py.

const LONGEST_KEY = 250;
const LONGEST_PARAMETER = 6_000;
const LONGEST_TAG = 8_000;
const LONGEST_EXPERIMENT_TAG = 20_000;
const LONGEST_EXPERIMENT_NAME = 500;
const MOST_METRICS = 1_000;
const MOST_OTHERS = 100;
const MOST_ENTITIES = 1_000;

const NAME = /^[/\p{L}\p{N}_.\- :]*$/u;
const ALLOWED =
  'Names may only contain alphanumerics, underscores (_), dashes (-), periods (.), spaces ( ), colon(:) and slashes (/).';

function invalidValue(path: string, value: unknown, why: string): Error {
  return badInput(`Invalid value ${shownJson(value)} for parameter '${path}' supplied: ${why}`, path);
}

/** A name of a metric, parameter or tag. @throws WarrenError BAD_INPUT. */
function checkName(name: string, path: string): string {
  if (!NAME.test(name)) throw invalidValue(path, name, ALLOWED);
  const normal = posix.normalize(name);
  if (normal !== name || normal === '.' || normal.startsWith('..') || normal.startsWith('/')) {
    const shown = normal.length > 1 ? normal.replace(/\/$/, '') : normal;
    const why = `Names may be treated as files in certain cases, and must not resolve to other names when treated as such. This name would resolve to '${shown}'`;
    throw invalidValue(path, name, why);
  }
  if (name.endsWith('/')) throw invalidValue(path, name, ALLOWED);
  return name;
}

function checkLength(what: string, limit: number, text: string): string {
  if ([...text].length <= limit) return text;
  throw badInput(`'${what}' exceeds the maximum length of ${limit} characters`, what);
}

/** The server of MLflow cuts long values of parameters and tags off rather than refusing them. */
function cut(text: string, limit: number): string {
  return text.length <= limit ? text : [...text].slice(0, limit).join('');
}

function textOf(value: unknown, path: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw invalidValue(path, value, `Hint: Value was of type '${typeof value}'.`);
}

/** A parameter. @param path Of the object in the request. @throws WarrenError BAD_INPUT. */
export function parameterOf(object: Record<string, unknown>, path = ''): KeyedText {
  const key = checkName(textOf(object.key, `${path}key`), `${path}key`);
  return {
    key: checkLength('Param key', LONGEST_KEY, key),
    value: cut(textOf(object.value, `${path}value`), LONGEST_PARAMETER),
  };
}

/** A tag of a run. @throws WarrenError BAD_INPUT. */
export function tagOf(object: Record<string, unknown>, path = ''): KeyedText {
  const key = checkName(textOf(object.key, `${path}key`), `${path}key`);
  return {
    key: checkLength(`${path}key`, LONGEST_KEY, key),
    value: cut(textOf(object.value, `${path}value`), LONGEST_TAG),
  };
}

/** A tag of an experiment. @throws WarrenError BAD_INPUT. */
export function experimentTagOf(object: Record<string, unknown>): KeyedText {
  const key = checkLength('key', LONGEST_KEY, checkName(textOf(object.key, 'key'), 'key'));
  return { key, value: checkLength('value', LONGEST_EXPERIMENT_TAG, textOf(object.value, 'value')) };
}

const LONGEST_REGISTRY_TAG = 100_000;

/** A tag of a registered model or version. @throws WarrenError BAD_INPUT. */
export function registryTagOf(object: Record<string, unknown>): KeyedText {
  const key = checkLength('key', LONGEST_KEY, checkName(textOf(object.key, 'key'), 'key'));
  return { key, value: checkLength('value', LONGEST_REGISTRY_TAG, textOf(object.value, 'value')) };
}

/** Tags of a registered model or version, of one key the last. @throws WarrenError BAD_INPUT. */
export function registryTagsOf(list: readonly unknown[] | undefined): Record<string, string> {
  return Object.fromEntries(
    keyedObjects(list, 'tags')
      .map(registryTagOf)
      .map(({ key, value }) => [key, value]),
  );
}

/** A point of a metric. @throws WarrenError BAD_INPUT. */
export function pointOf(object: Record<string, unknown>, path = ''): MetricPointInput {
  const name = checkName(textOf(object.key, `${path}name`), `${path}name`);
  const value = numberOf(object.value);
  if (value === null) {
    const why = `(timestamp=${String(object.timestamp)}). Please specify value as a valid double (64-bit floating point)`;
    throw invalidValue(`${path}value`, object.value, why);
  }
  const timeMs = integerOf(object.timestamp);
  if (timeMs === null || timeMs < 0) {
    const why = `metric '${name}' (value=${value}). Timestamp must be a nonnegative long (64-bit integer) `;
    throw invalidValue(`${path}timestamp`, object.timestamp, why);
  }
  const step = object.step === undefined || object.step === null ? 0 : integerOf(object.step);
  if (step === null) {
    const why = `metric '${name}' (value=${value}). Step must be a valid long (64-bit integer).`;
    throw invalidValue(`${path}step`, object.step, why);
  }
  checkLength('Metric name', LONGEST_KEY, name);
  return { name, value, timeMs, step };
}

/** The points of a batch. @throws WarrenError BAD_INPUT. */
export function pointsOf(list: readonly unknown[] | undefined): MetricPointInput[] {
  const objects = keyedObjects(list, 'metrics');
  for (const [index, { value, timestamp }] of objects.entries()) {
    if (value === undefined || value === null || value === '') throw missingField(`metrics[${index}].value`);
    if (timestamp === undefined || timestamp === null || timestamp === '')
      throw missingField(`metrics[${index}].timestamp`);
  }
  return objects.map((object, index) => pointOf(object, `metrics[${index}].`));
}

/** Tags by key. @throws WarrenError BAD_INPUT. */
export function tagsOf(list: readonly unknown[] | undefined): KeyedText[] {
  return keyedObjects(list, 'tags').map((object, index) => tagOf(object, `tags[${index}].`));
}

/** Parameters, each key once. @throws WarrenError BAD_INPUT. */
export function parametersOf(list: readonly unknown[] | undefined): KeyedText[] {
  return keyedObjects(list, 'params').map((object, index) => parameterOf(object, `params[${index}].`));
}

/** The models that objects name. @throws WarrenError BAD_INPUT where one names none. */
export function modelIdsOf(list: readonly unknown[] | undefined): string[] {
  return (list ?? []).map((item, index) => {
    const { model_id: id }: { model_id?: unknown } = { ...Object(item) };
    if (typeof id === 'string' && id !== '' && id.length <= LONGEST_KEY) return id;
    throw missingField(`models[${index}].model_id`);
  });
}

/** @throws WarrenError BAD_INPUT where a batch has too many of something, or a parameter twice. */
export function checkBatch(counts: { metrics: number; params: number; tags: number }, keys: readonly string[]): void {
  const { metrics, params, tags } = counts;
  refuseMore('metrics', MOST_METRICS, metrics);
  refuseMore('params', MOST_OTHERS, params);
  refuseMore('tags', MOST_OTHERS, tags);
  refuseMore('metrics, params, and tags', MOST_ENTITIES, metrics + params + tags);
  const doubles = keys.filter((key, index) => keys.indexOf(key) < index);
  if (doubles.length === 0) return;
  const list = doubles.map((key) => `'${key}'`).join(', ');
  const advice = 'Please ensure the request contains only one param value per param key.';
  throw badInput(`Duplicate parameter keys have been submitted: [${list}]. ${advice}`, 'params');
}

function refuseMore(what: string, most: number, count: number): void {
  if (count <= most) return;
  const advice = `Please split up ${what} across multiple requests and try again.`;
  throw badInput(`A batch logging request can contain at most ${most} ${what}. Got ${count} ${what}. ${advice}`);
}

/** @throws WarrenError BAD_INPUT for an empty or long name of an experiment. */
export function checkExperimentName(name: string): string {
  if (name === '') throw badInput("Invalid experiment name: ''", 'name');
  return checkLength('name', LONGEST_EXPERIMENT_NAME, name);
}
