import { COMMAND_MEMBERS, type CommandParameters, commandKind } from '#src/catalog/kinds/command.ts';
import { ownParameters } from '#src/catalog/commandLine.ts';
import { isEnqueueable, kindByName } from '#src/catalog/kinds.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { arithmeticOf } from '#src/base/contracts/arithmetic.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { listStandingRuns, type PairSide } from '#src/decisions/store/decisionPair.ts';
import { findNewestRunOf } from '#src/decisions/store/newestRun.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { listRunInputs } from '#src/runs/store/runInput.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import {
  type CheckedCommand,
  checkCommand,
  heldCodeBytes,
  insertCheckedCommand,
} from '#src/programs/enqueueCommand.ts';
import { type CheckedRuns, checkRuns, insertCheckedRuns } from '#src/runs/enqueueRuns.ts';
import { arithmeticAtWork } from '#src/runs/arithmeticAtWork.ts';
import { resolveRuns, whyNoRun } from '#src/runs/findRun.ts';
import { rightFingerprints } from '#src/runs/rightFingerprints.ts';
import type { CommandRights } from '#src/sweeps/createSweep.ts';
import type { DecisionArm } from './decisionPlan.ts';

const HASH_START = /^[0-9a-f]{8,64}$/;

/** The run that a reference names, or the newest one of the configuration whose hash it begins. @throws WarrenError BAD_INPUT. */
export async function templateRun(connection: Connection, reference: string, path: string): Promise<RunRecord> {
  const [run = null] = await resolveRuns(connection, [reference]);
  const found = run ?? (HASH_START.test(reference) ? await findNewestRunOf(connection, reference) : null);
  if (found === null)
    throw badInput(`${path}: ${whyNoRun(reference)}, or the beginning of a configuration's hash`, path);
  return found;
}

/**
 * How runs like this one are queued with other seeds, by the version that its kind has now.
 * @throws WarrenError BAD_INPUT where its kind cannot be queued; FORBIDDEN and NOT_FOUND as `enqueueCommand`.
 */
export async function armOf(
  connection: Connection,
  run: RunRecord,
  { path, rights }: { path: string; rights: CommandRights },
): Promise<DecisionArm> {
  const [configuration] = await findConfigurations(connection, [run.configurationHash]);
  invariant(configuration !== undefined, `configuration ${run.configurationHash} is gone`);
  const { kind, dataset, parameters } = configuration;
  const isCommand = kind === commandKind.kind;
  if (!isCommand && !isEnqueueable(kindByName(kind))) {
    throw badInput(`${path}: run ${run.number} was executed by another program, which alone can run it again`, path);
  }
  const inputs = await listRunInputs(connection, [run.id]);
  const arm: DecisionArm = {
    label: `#${run.number} ${run.name}`,
    configurationHash: '',
    ...{ kind, dataset, parameters, priority: run.priority, maxAttempts: run.maxAttempts },
    inputs: inputs.map(({ name, sourceRunId: runId, artifactName, sha256 }) => ({
      ...{ name, runId, artifactName },
      ...(sha256 !== null && { sha256 }),
    })),
    command: null,
  };
  if (isCommand) {
    rights.require();
    const { gpus = 0, memoryMb = null, cores = null, labels = [], seconds = null } = run.needs ?? {};
    const { code } = parseParameters(commandKind, parameters);
    const codeBytes = await heldCodeBytes(connection, code, rights.codeSize);
    arm.command = { codeBytes, gpus, memoryMb, cores, labels, seconds };
  }
  const checked = checkArm(arm, { seed: 1, project: 'default', name: 'a pair', tags: [] });
  const { hash } = 'runs' in checked ? checked.runs.configuration : checked.command.configuration;
  return { ...arm, configurationHash: hash };
}

interface Particulars {
  seed: number;
  project: string;
  name: string;
  tags: readonly string[];
}

/** @throws WarrenError where the kind refuses its parameters, or is not known here. */
function checkArm(arm: DecisionArm, particulars: Particulars): { runs: CheckedRuns } | { command: CheckedCommand } {
  const { kind, dataset, parameters, priority, maxAttempts, inputs, command } = arm;
  const { seed, ...rest } = particulars;
  const common = { priority, maxAttempts, seeds: [seed], ...rest };
  if (command === null) return { runs: checkRuns({ kind, dataset, parameters, inputs, ...common }) };
  const { codeBytes: _, ...needs } = command;
  const members: CommandParameters = parseParameters(commandKind, parameters);
  const given = Object.fromEntries(COMMAND_MEMBERS.map((name) => [name, members[name]]));
  return {
    command: checkCommand({
      command: members.command,
      ...given,
      parameters: ownParameters(parameters),
      ...needs,
      ...common,
      inputs,
    }),
  };
}

/**
 * A run of an arm for a pair: one that stands already, else a new one, which `addRunJobs` hands to workers.
 * @returns the side of the pair, and the run where it is new.
 */
export async function sideOf(
  connection: Connection,
  arm: DecisionArm,
  {
    metric,
    within,
    user,
    ...particulars
  }: Particulars & { metric: string; within: readonly string[] | null; user: string | null },
): Promise<{ side: PairSide; queued: RunRecord[] }> {
  const standing = await standingRun(connection, arm, { seed: particulars.seed, metric, within });
  if (standing !== null) return { side: { runId: standing, reused: true }, queued: [] };
  const checked = checkArm(arm, particulars);
  const queued =
    'runs' in checked
      ? await insertCheckedRuns(connection, checked.runs, { user })
      : await insertCheckedCommand(connection, checked.command, { codeBytes: arm.command?.codeBytes ?? 0, user });
  const [run] = queued;
  invariant(run !== undefined, 'no run was queued');
  return { side: { runId: run.id, reused: false }, queued };
}

/**
 * A run of the same configuration, seed, data and inputs that has finished, or else is under way; null without one. Those that
 * rounded as the workers do are preferred.
 */
async function standingRun(
  connection: Connection,
  { configurationHash, dataset, inputs, command }: DecisionArm,
  { seed, metric, within }: { seed: number; metric: string; within: readonly string[] | null },
): Promise<string | null> {
  const runs = await listStandingRuns(connection, { configurationHash, seed, metric, within });
  const inputsOf = await listRunInputs(
    connection,
    runs.map(({ id }) => id),
  );
  const name = datasetName(dataset);
  const right = name === null ? null : await rightFingerprints(connection, name);
  // a program of the user computes with what it brings
  const arithmetics = command === null ? await arithmeticAtWork(connection) : null;
  const standing = runs.filter(({ id, state, fingerprint }) => {
    if (state === 'SUCCEEDED' && right !== null && (fingerprint === null || !right.has(fingerprint))) return false;
    const own = inputsOf.filter(({ runId }) => runId === id);
    const has = (input: DecisionArm['inputs'][number]) =>
      own.some(
        (one) =>
          one.name === input.name &&
          one.sourceRunId === input.runId &&
          one.artifactName === input.artifactName &&
          one.sha256 === (input.sha256 ?? null),
      );
    return own.length === inputs.length && inputs.every(has);
  });
  const isPreferred = ({ state, arithmetic }: (typeof standing)[number]) =>
    state === 'SUCCEEDED' && arithmetics?.has(arithmeticOf({ arithmetic })) !== false;
  return (standing.find(isPreferred) ?? standing[0])?.id ?? null;
}

function datasetName(dataset: unknown): string | null {
  if (typeof dataset !== 'object' || dataset === null || !('name' in dataset)) return null;
  return typeof dataset.name === 'string' ? dataset.name : null;
}
