import { badInput } from '#src/base/contracts/errors.ts';
import { type ArtifactRecord, listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { findRegisteredFile } from '#src/registry/store/versionFile.ts';
import type { NewRunInput } from '#src/runs/store/runInput.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { requireVersionFile, requireVersionFiles } from '../registry/findVersion.ts';
import { resolveRuns, whyNoRun } from './findRun.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';

export interface RunInputReference {
  /** What the kind calls it; of a command the path of a file, or of a folder of a version's files. */
  name: string;
  /** Id or number of the run that leaves the artifact; null with `version`. */
  runId?: string | null | undefined;
  artifactName?: string | null | undefined;
  /** A registered version instead, as `NAME@ALIAS` or `NAME:VERSION`, which is resolved when the runs are queued. */
  version?: string | null | undefined;
  /** With a run: content that is needed whatever the run has now, of a version that was registered from it. */
  sha256?: string | null | undefined;
}

/** Rows that one call may write of what its runs wait for. */
const MOST_RUN_INPUTS = 5_000;
const MOST_INPUTS = { kind: 50, command: 1_000 } as const;
/** A path of a file in the folder of a command's inputs. */
const LONGEST_PATH = 1_000;

/** For whom inputs are: a command gets them as files, all of a version where no file is named. */
export type InputTaker = keyof typeof MOST_INPUTS;

/** @throws WarrenError BAD_INPUT where so many runs with so many inputs each are too many for one call. */
export function refuseManyInputs(taker: InputTaker, { seeds, inputs }: { seeds: number; inputs: number }): void {
  const most = MOST_INPUTS[taker];
  if (inputs > most) throw badInput(`inputs: at most ${most.toLocaleString('en')}, received ${inputs}`, 'inputs');
  if (seeds * inputs <= MOST_RUN_INPUTS) return;
  const limit = MOST_RUN_INPUTS.toLocaleString('en');
  throw badInput(
    `seeds: ${seeds} seeds with ${inputs} inputs each are ${seeds * inputs}; at most ${limit} at a time: give fewer seeds`,
    'seeds',
  );
}

/** @throws WarrenError BAD_INPUT for inputs of a command whose names cannot be files beside each other. */
export function checkInputFiles(inputs: readonly { name: string }[]): void {
  const names = inputs.map(({ name }) => name.trim());
  for (const [index, name] of names.entries()) {
    const path = `inputs[${index}].name`;
    if (name.length > LONGEST_PATH) throw badInput(`${path}: has more than ${LONGEST_PATH} characters`, path);
    const isPath = name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isPath || /[\\\p{Cc}]/u.test(name)) {
      throw badInput(`${path}: expected a file such as model.pt or data/train.csv, received "${name}"`, path);
    }
  }
  const known = new Set(names);
  for (const [index, name] of names.entries()) {
    const path = `inputs[${index}].name`;
    if (names.indexOf(name) < index) throw badInput(`${path}: "${name}" is given twice`, path);
    const folders = name.split('/').map((_, length, parts) => parts.slice(0, length).join('/'));
    const folder = folders.find((each) => known.has(each));
    if (folder !== undefined) throw badInput(`${path}: "${folder}" is a file or a version of its own`, path);
  }
}

export interface CheckedInputs {
  inputs: NewRunInput[];
  /** Whether all of them are there already. */
  available: boolean;
  /** Of the registered versions among them. */
  versionIds: string[];
}

/** The inputs with the ids of their runs; names of registered versions become what they mean now. */
export async function checkedInputs(
  connection: Connection,
  references: readonly RunInputReference[],
  taker: InputTaker = 'kind',
): Promise<CheckedInputs> {
  const sources = await resolveRuns(
    connection,
    references.map((reference) => reference.runId ?? ''),
  );
  const artifacts = await listArtifacts(
    connection,
    sources.flatMap((source) => source?.id ?? []),
  );
  const checked: CheckedInputs = { inputs: [], available: true, versionIds: [] };
  for (const [index, reference] of references.entries()) {
    const path = `inputs[${index}]`;
    const name = taker === 'command' ? reference.name.trim() : checkedName(reference.name, `${path}.name`);
    if (checked.inputs.some((other) => other.name === name))
      throw badInput(`${path}.name: "${name}" is given twice`, path);
    if (reference.version != null) {
      if (reference.runId != null) throw badInput(`${path}: give a run or a version, not both`, path);
      const { versionId, inputs } = await filesOf(connection, { name, version: reference.version }, { taker, path });
      checked.inputs.push(...inputs);
      checked.versionIds.push(versionId);
      continue;
    }
    const source = sources[index] ?? null;
    const { input, versionId, ready } = await artifactOf(
      connection,
      { ...reference, name },
      { source, artifacts, path },
    );
    checked.inputs.push(input);
    checked.available &&= ready;
    if (versionId !== null) checked.versionIds.push(versionId);
  }
  return checked;
}

/** The files of a registered version that a reference means: one, or for a command all of them in a folder. */
async function filesOf(
  connection: Connection,
  { name, version: reference }: { name: string; version: string },
  { taker, path }: { taker: InputTaker; path: string },
): Promise<{ versionId: string; inputs: NewRunInput[] }> {
  if (taker === 'kind') {
    const { version, file } = await requireVersionFile(connection, reference, `${path}.version`);
    const input = { name, sourceRunId: file.runId, artifactName: file.artifactName, sha256: file.sha256 };
    return { versionId: version.id, inputs: [input] };
  }
  const { version, files, isFile } = await requireVersionFiles(connection, reference, `${path}.version`);
  const inputs = files.map(({ runId, artifactName, sha256, path: within }) => ({
    ...{ name: isFile ? name : `${name}/${within}`, sourceRunId: runId, artifactName, sha256 },
  }));
  return { versionId: version.id, inputs };
}

interface ArtifactSources {
  /** The run that is named; null where there is none. */
  source: RunRecord | null;
  /** Of all sources. */
  artifacts: readonly ArtifactRecord[];
  path: string;
}

/** An artifact of a run as an input; with a sha256 it is a version's, which was registered from it. */
async function artifactOf(
  connection: Connection,
  { name, runId, artifactName: named, sha256 = null }: RunInputReference,
  { source, artifacts, path }: ArtifactSources,
): Promise<{ input: NewRunInput; versionId: string | null; ready: boolean }> {
  if (runId == null) throw badInput(`${path}: give a run with its artifact, or a registered version`, path);
  if (source === null) throw badInput(`${path}.runId: ${whyNoRun(runId)}`, `${path}.runId`);
  const artifactName = checkedName(named ?? '', `${path}.artifactName`);
  const input = { name, sourceRunId: source.id, artifactName };
  const pinned =
    sha256 === null ? null : await findRegisteredFile(connection, { runId: source.id, artifactName, sha256 });
  if (pinned !== null) return { input: { ...input, sha256 }, versionId: pinned.versionId, ready: true };
  const left = artifacts.find((artifact) => artifact.runId === source.id && artifact.name === artifactName);
  const problem =
    sha256 !== null && left?.sha256 !== sha256
      ? `the content of "${artifactName}" of run ${source.number} that is meant is registered no more`
      : whyUnusable(source, artifactName, left !== undefined);
  if (problem !== null) throw badInput(`${path}: ${problem}`, path);
  return { input, versionId: null, ready: left !== undefined && source.state === 'SUCCEEDED' };
}

function whyUnusable(source: RunRecord, artifactName: string, left: boolean): string | null {
  if (source.deletedAt !== null) return `run ${source.number} is in the trash`;
  if (source.state === 'FAILED' || source.state === 'CANCELLED' || source.state === 'PRUNED') {
    return `run ${source.number} is ${source.state} and will leave no "${artifactName}"; retry it first`;
  }
  if (source.state === 'SUCCEEDED' && !left) return `run ${source.number} ended without leaving "${artifactName}"`;
  return null;
}
