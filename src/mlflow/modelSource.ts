import { badInput } from '#src/base/contracts/errors.ts';
import { parseVersionReference, type VersionReference } from '#src/base/contracts/registry.ts';
import { listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { findTrackedRuns } from '#src/mlflow/store/trackedRun.ts';
import { listVersionFiles } from '#src/registry/store/versionFile.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';
import { type RegisteredFiles, registeredFiles } from '#src/registry/registerVersion.ts';
import { requireLoggedModel } from './loggedModels.ts';
import { requireModelVersion, versionOfAlias } from './registeredModels.ts';
import { mlflowRunId, uuidOf } from './trackedRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

// Where an MLflow client says that a version is, as mlflow/server/handlers.py checks it.

const MOST_FILES = 10_000;

export interface ModelSource {
  source: string;
  /** Null where no run is known. */
  runId: string | null;
  loggedModelId: string | null;
  /** What of the artifacts of the run it is; null where it is elsewhere. */
  artifactName: string | null;
  files: RegisteredFiles;
}

interface Given {
  source: string;
  /** Null where the request has none. */
  runId: string | null;
  modelId: string | null;
}

const NOWHERE = { artifactName: null, files: [] };

/** What a client registers. @throws WarrenError BAD_INPUT in MLflow's words where it may not be. */
export async function resolveSource(
  context: Pick<ServiceContext, 'db'>,
  connection: Connection,
  given: Given,
): Promise<ModelSource> {
  const { source, modelId } = given;
  refuseRelative(source);
  const run = await knownRun(connection, given.runId ?? '');
  const scheme = /^([a-z][\w+.-]*):/i.exec(source)?.[1]?.toLowerCase() ?? '';
  const facts = { source, runId: run, loggedModelId: modelId === '' ? null : modelId };
  if (scheme === 'models') return await fromModels(context, connection, { ...given, run });
  if (scheme === '' || scheme === 'file') {
    const what = 'To use a local path as a model version source, the run_id request parameter has to be specified';
    const where = 'and the local path has to be contained within the artifact directory of the run';
    throw badInput(`Invalid model version source: '${source}'. ${what} ${where} specified by the run_id.`, 'source');
  }
  // a run that is not known here may be one of another server
  if (scheme === 'runs' && run === null && modelId === null && runOfSource(source) === given.runId) {
    return { ...facts, ...NOWHERE };
  }
  const place = placeOf(source);
  if (scheme === 'runs' || scheme === 'mlflow-artifacts') {
    const right = modelId === null || modelId === '' ? run : await runOfModel(context, modelId, source);
    if (place === null || right === null || uuidOf(place.runId) !== right) throw mustIdentify(source, 'run_id');
    return { ...facts, runId: right, ...(await filesAt(connection, right, place.path)) };
  }
  return { ...facts, ...NOWHERE };
}

/** `models:/m-ID` (a logged model) or `models:/NAME/VERSION`, which has the files of that version. */
async function fromModels(
  context: Pick<ServiceContext, 'db'>,
  connection: Connection,
  { source, runId, modelId, run }: Given & { run: string | null },
): Promise<ModelSource> {
  const path = /^models:\/+(.+)$/.exec(source)?.[1] ?? '';
  if (/^m-[0-9a-f]{32}-\d+$/.test(path)) {
    if (modelId !== path) throw mustIdentify(source, 'model_id');
    const right = await runOfModel(context, path, source);
    return { source, runId: right, loggedModelId: path, ...(await filesAt(connection, right, `models/${path}`)) };
  }
  const reference = referenceOf(path);
  if (reference === null) throw mustIdentify(source, 'model_id');
  const version = await versionOf(context, connection, reference);
  const madeBy = version.runId === null ? '' : mlflowRunId(version.runId);
  const fits = (value: string | null, known: string) => value === null || value === known;
  if (!fits(runId, madeBy) || !fits(modelId, version.loggedModelId ?? '')) {
    const must = 'The run_id and model_id request parameters must match the referenced model version.';
    throw badInput(`Invalid model version source: '${source}'. ${must}`, 'source');
  }
  const files = await listVersionFiles(connection, [version.id], MOST_FILES);
  return {
    source: `models:/${version.name}/${version.number}`,
    runId: version.runId ?? run,
    loggedModelId: version.loggedModelId,
    artifactName: version.artifactName,
    files: files.map(({ path: file, artifactName, sha256, sizeBytes, mediaType }) => ({
      ...{ path: file, artifactName, sha256, sizeBytes, mediaType },
    })),
  };
}

/** `NAME/3`, `NAME/latest`, `NAME@alias`. */
function referenceOf(path: string): VersionReference | null {
  const [, name, version] = /^([^/@:]+)\/([^/]+)$/.exec(path) ?? [];
  if (name !== undefined && version !== undefined) return parseVersionReference(`${name}:${version}`);
  return path.includes('/') ? null : parseVersionReference(path);
}

async function versionOf(
  context: Pick<ServiceContext, 'db'>,
  connection: Connection,
  { name, version }: VersionReference,
): Promise<VersionRecord> {
  if ('number' in version) return await requireModelVersion(connection, name, String(version.number));
  return await versionOfAlias(context, name, version.alias);
}

/** The run and the path among its artifacts that an address of ours means. */
function placeOf(source: string): { runId: string; path: string } | null {
  const [, ofRun, path = ''] = /^runs:\/+([0-9a-f]{32})(?:\/(.*))?$/i.exec(source) ?? [];
  if (ofRun !== undefined) return { runId: ofRun, path: clean(path) };
  const [, proxied, below = ''] =
    /^mlflow-artifacts:\/(?:\/[^/]*\/|\/?)\d+\/([0-9a-f]{32})\/artifacts(?:\/(.*))?$/i.exec(source) ?? [];
  return proxied === undefined ? null : { runId: proxied, path: clean(below) };
}

/** The run that `runs:/RUN/PATH` names, whether it is one of ours or not. */
function runOfSource(source: string): string | undefined {
  return /^runs:\/([^/]+)\/./i.exec(source)?.[1];
}

function clean(path: string): string {
  return path.replace(/\/+/g, '/').replace(/^\/|\/$/g, '');
}

async function filesAt(
  connection: Connection,
  runId: string,
  path: string,
): Promise<Pick<ModelSource, 'artifactName' | 'files'>> {
  const files = registeredFiles(await listArtifacts(connection, [runId]), path);
  if (files.length > MOST_FILES) throw badInput(`a version has at most ${MOST_FILES} files`, 'source');
  return { artifactName: path, files };
}

/** A source elsewhere may come from a run elsewhere, which is not known here. */
async function knownRun(connection: Connection, runId: string): Promise<string | null> {
  const id = uuidOf(runId);
  const [run] = id === null ? [] : await findTrackedRuns(connection, [id]);
  return run?.id ?? null;
}

async function runOfModel(context: Pick<ServiceContext, 'db'>, modelId: string, source: string): Promise<string> {
  const found = await requireLoggedModel(context, modelId).catch(() => null);
  if (found === null) throw mustIdentify(source, 'model_id');
  return found.run.id;
}

function mustIdentify(source: string, parameter: 'run_id' | 'model_id'): Error {
  const must = `The ${parameter} request parameter must identify the resource that contains the source.`;
  return badInput(`Invalid model version source: '${source}'. ${must}`, 'source');
}

function refuseRelative(source: string): void {
  let text = source;
  for (let times = 0; times < 10; times += 1) {
    const next = unquoted(text);
    if (next === text) break;
    text = next;
  }
  if (!text.includes('\0') && !text.split('/').includes('..')) return;
  const message =
    'If supplying a source as an http, https, local file path, ftp, objectstore, or mlflow-artifacts uri, an absolute path must be provided without relative path references present. Please provide an absolute path.';
  throw badInput(`Invalid model version source: '${source}'. ${message}`, 'source');
}

function unquoted(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
