import { badInput } from '#src/base/contracts/errors.ts';
import { assignmentsToObject, parseAssignment } from '#src/base/terminal/arguments/assignments.ts';
import { INPUT_FORMS, parseInputSource } from '#src/base/contracts/inputSource.ts';
import type { EnqueueRunsInput } from '#src/generated/api.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** The options of `warren run` as commander gives them. */
export interface RunFlags {
  dataset?: string;
  preset?: string;
  set?: string[];
  seed?: number;
  seeds?: number[];
  project?: string;
  tag?: string[];
  name?: string;
  priority?: number;
  maxAttempts?: number;
  input?: string[];
  wait?: boolean;
  local?: boolean;
  json?: boolean;
  key?: string;
}

/** What is to be run, checked as far as that goes without the kind's schema. */
export interface RunRequest {
  input: EnqueueRunsInput & {
    seeds: number[];
    parameters: Record<string, unknown>;
    dataset?: Record<string, unknown>;
  };
  /** Paths of the files that a local run needs, by what it calls them. */
  files: Readonly<Record<string, string>>;
  wait: boolean;
  json: boolean;
}

/** Throws BAD_INPUT for options that cannot go together. */
export function parseRunRequest(kind: string, flags: RunFlags): RunRequest {
  if (flags.seed !== undefined && flags.seeds !== undefined) throw badInput('give --seed or --seeds, not both');
  if (flags.local === true) refuseServiceOptions(flags);
  const { dataset: preprocessing, ...parameters } = assignmentsToObject((flags.set ?? []).map(parseAssignment));
  const dataset = datasetOf(flags.dataset, preprocessing);
  return {
    input: {
      kind,
      seeds: flags.seeds ?? [flags.seed ?? 1],
      parameters,
      ...(dataset === undefined ? {} : { dataset }),
      ...(flags.preset === undefined ? {} : { preset: flags.preset }),
      ...(flags.project === undefined ? {} : { project: flags.project }),
      ...(flags.tag === undefined ? {} : { tags: flags.tag }),
      ...(flags.name === undefined ? {} : { name: flags.name }),
      ...(flags.priority === undefined ? {} : { priority: flags.priority }),
      ...(flags.maxAttempts === undefined ? {} : { maxAttempts: flags.maxAttempts }),
      ...(flags.key === undefined ? {} : { key: flags.key }),
      ...(flags.input === undefined || flags.local === true ? {} : { inputs: flags.input.map(parseInput) }),
    },
    files: flags.local === true ? Object.fromEntries((flags.input ?? []).map(parseFile)) : {},
    wait: flags.wait === true,
    json: flags.json === true,
  };
}

function refuseServiceOptions(flags: RunFlags): void {
  const given = [
    ['--project', flags.project],
    ['--tag', flags.tag],
    ['--name', flags.name],
    ['--priority', flags.priority],
    ['--max-attempts', flags.maxAttempts],
    ['--key', flags.key],
  ].filter(([, value]) => value !== undefined);
  const first = given[0]?.[0];
  if (first !== undefined)
    throw badInput(`${first} has no meaning with --local, which records nothing in the database`);
}

/** The dataset selection of `--dataset` and of `--set dataset.…`. */
function datasetOf(name: string | undefined, preprocessing: unknown): Record<string, unknown> | undefined {
  if (preprocessing === undefined) return name === undefined ? undefined : { name };
  if (typeof preprocessing === 'string') return datasetOf(name ?? preprocessing, undefined);
  if (!isPlainObject(preprocessing)) {
    throw badInput('expected --set dataset.core=5 or the like; the name goes into --dataset', '--set');
  }
  return { ...preprocessing, ...(name === undefined ? {} : { name }) };
}

function parseFile(text: string): [name: string, path: string] {
  const match = /^([^=]+)=(.+)$/.exec(text);
  if (match === null) {
    throw badInput(`with --local expected name=file, such as embeddings=./embeddings.npy, not "${text}"`, '--input');
  }
  return [match[1]!, match[2]!];
}

type InputReference = NonNullable<EnqueueRunsInput['inputs']>[number];

/** `name=RUN:ARTIFACT`, or a registered version: `name=NAME@ALIAS`, or `name=NAME:VERSION` where NAME is no run's. */
export function parseInput(text: string): InputReference {
  const [, name, written] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  const source = written === undefined ? null : parseInputSource(written);
  if (name !== undefined && source !== null) return { name, ...source };
  throw badInput(`expected name=${INPUT_FORMS}, not "${text}"`, '--input');
}
