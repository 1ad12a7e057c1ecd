import { badInput } from '#src/base/contracts/errors.ts';
import type { EnqueueCommandInput } from '#src/generated/api.ts';
import { assignmentsToObject, parseAssignment } from '#src/base/terminal/arguments/assignments.ts';
import { parseInput, type RunFlags } from '#src/runs/command/runRequest.ts';

/** The options of `warren run` that only a command has. */
export interface CommandFlags extends RunFlags {
  gpus?: number;
  memory?: number;
  cores?: number;
  label?: string[];
  time?: number;
  releaseAfter?: number;
  withSecretFiles?: boolean;
  environment?: string;
  container?: string;
  /** False with --no-code. */
  code: boolean;
}

/** A command to be queued. */
export interface CommandRequest {
  input: EnqueueCommandInput;
  withCode: boolean;
  withSecretFiles: boolean;
  wait: boolean;
  json: boolean;
}

/** The part of `warren run` before and after `--`, by the arguments as they were typed. */
export function splitCommand(typed: readonly string[], operands: readonly string[]) {
  const dashes = typed.indexOf('--');
  const command = dashes < 0 ? [] : typed.slice(dashes + 1);
  return { kinds: operands.slice(0, operands.length - command.length), command };
}

/** Throws BAD_INPUT for options that a command cannot have. */
export function parseCommandRequest(command: readonly string[], flags: CommandFlags): CommandRequest {
  if (flags.seed !== undefined && flags.seeds !== undefined) throw badInput('give --seed or --seeds, not both');
  const foreign = (['dataset', 'preset', 'local'] as const).find((name) => flags[name] !== undefined);
  if (foreign !== undefined) throw badInput(`--${foreign} has no meaning for a command of your own`);
  if (flags.environment !== undefined && flags.container !== undefined) {
    throw badInput('give --environment or --container, not both: an image has its packages');
  }
  const environment = flags.container === undefined ? flags.environment : `container:${flags.container}`;
  return {
    input: {
      command: [...command],
      parameters: assignmentsToObject((flags.set ?? []).map(parseAssignment)),
      seeds: flags.seeds ?? [flags.seed ?? 1],
      ...(flags.project === undefined ? {} : { project: flags.project }),
      ...(flags.name === undefined ? {} : { name: flags.name }),
      ...(flags.tag === undefined ? {} : { tags: flags.tag }),
      ...(flags.priority === undefined ? {} : { priority: flags.priority }),
      ...(flags.maxAttempts === undefined ? {} : { maxAttempts: flags.maxAttempts }),
      ...(flags.key === undefined ? {} : { key: flags.key }),
      ...(flags.gpus === undefined ? {} : { gpus: flags.gpus }),
      ...(flags.memory === undefined ? {} : { memoryMb: flags.memory }),
      ...(flags.cores === undefined ? {} : { cores: flags.cores }),
      ...(flags.label === undefined ? {} : { labels: flags.label }),
      ...(flags.time === undefined ? {} : { seconds: flags.time }),
      ...(flags.releaseAfter === undefined ? {} : { releaseSeconds: flags.releaseAfter }),
      ...(environment === undefined ? {} : { environment }),
      ...(flags.input === undefined ? {} : { inputs: flags.input.map(parseInput) }),
    },
    withCode: flags.code,
    withSecretFiles: flags.withSecretFiles === true,
    wait: flags.wait === true,
    json: flags.json === true,
  };
}

/** Refuses options of commands where a kind is run. */
export function refuseCommandFlags(flags: CommandFlags): void {
  const names = ['gpus', 'memory', 'cores', 'label', 'time', 'releaseAfter', 'environment', 'container'] as const;
  const found = names.find((name) => flags[name] !== undefined);
  const given = found === 'releaseAfter' ? 'release-after' : found;
  if (given !== undefined) throw badInput(`--${given} is for commands of your own: warren run --${given} … -- COMMAND`);
}
