import { setTimeout as pause } from 'node:timers/promises';
import {
  ConfirmSweepDocument,
  CreateSweepDocument,
  ExtendSweepDocument,
  RunFailureDocument,
  type SweepFragment,
  SweepsDocument,
  type TrialFragment,
} from '#src/generated/api.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { printable } from '#src/base/lib/printable.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { actOnSweep, fetchConfirmations, fetchImportance, fetchSweep, fetchTrials } from './fetchSweeps.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { tellQueued } from '#src/runs/command/queueRuns.ts';
import { sendingCode } from '#src/programs/command/enqueueCommand.ts';
import { withPackedCode } from '#src/programs/command/packedCode.ts';
import { parseParameterFlag } from './parameterFlag.ts';
import {
  confirmationLines,
  importanceLines,
  sweepJson,
  sweepLine,
  sweepLines,
  sweepTable,
  untakenText,
} from './showSweep.ts';
import { readSweepRequest, type SweepFlags, sweepsOverCommand } from './sweepFile.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { sweepReference } from './sweepReference.ts';

export interface CreateOptions extends SweepFlags {
  project?: string;
  name?: string;
  wait?: boolean;
  json?: boolean;
  key?: string;
  /** False with --no-code. */
  code?: boolean;
  withSecretFiles?: boolean;
}

/** The body of `warren sweep create`. */
export async function createCommand(
  context: CommandContext,
  { file, command }: { file: string | undefined; command: readonly string[] },
  { project, name, wait = false, json = false, code = true, withSecretFiles = false, key, ...flags }: CreateOptions,
): Promise<void> {
  const { terminal } = context;
  const request = await readSweepRequest(file, flags, command);
  const api = await context.api();
  const withCode = code && sweepsOverCommand(request) && request.code === undefined;
  const words = [request.command, request.program].flat();
  const { sweep, warnings } = await withPackedCode(
    context,
    { withCode, withSecretFiles, command: words },
    async (packed) => {
      const input = {
        file: { ...request, ...packed.fields },
        ...(project === undefined ? {} : { project }),
        ...(name === undefined ? {} : { name }),
      };
      const askWith = (own: string) => async () =>
        (await api.request(CreateSweepDocument, { input: { ...input, key: own } })).createSweep;
      const sent = { code: packed.fields.code, file: packed.file };
      return await askKeyed((own) => sendingCode(api, sent, askWith(own)), { key, terminal });
    },
  );
  for (const warning of warnings) terminal.say(`warren: ${warning}`);
  if (wait) {
    await followSweep(context, api, { sweep, json });
    return;
  }
  if (json) terminal.print(JSON.stringify(sweepJson(sweep), null, 2));
  else {
    terminal.print(sweepLine(sweep, terminal));
    terminal.say(terminal.colours.dim(`\`warren sweep show ${sweep.number}\` shows it`));
  }
}

/** Prints a line whenever something changed, until the sweep has ended or is paused; exit code 1 unless it finished. */
async function followSweep(
  context: CommandContext,
  api: ApiClient,
  { sweep, json }: { sweep: SweepFragment; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const interruption = context.catchInterruption();
  let current = sweep;
  let said = '';
  while (!interruption.signal.aborted) {
    const line = sweepLine(current, terminal);
    if (line !== said) terminal.say(line);
    said = line;
    const ended = current.state !== 'RUNNING' && (current.endedAt !== null || current.state === 'PAUSED');
    if (ended) break;
    await pause(TIMING.pollMs, null, { signal: interruption.signal }).catch(() => {});
    current = await fetchSweep(api, sweep.id).catch((error: unknown) => {
      if (error instanceof WarrenError && error.code === 'UNAVAILABLE') return current;
      throw error;
    });
  }
  interruption.release();
  if (interruption.signal.aborted) {
    terminal.say(`warren: no longer waiting; the sweep goes on. \`warren sweep cancel ${sweep.number}\` stops it.`);
    context.exitCode = interruption.exitCode();
    return;
  }
  await printSweep(context, api, { sweep: current, json, limit: 20 });
  if (current.state !== 'FINISHED') context.exitCode = EXIT_FAILED;
}

async function printSweep(
  { terminal }: CommandContext,
  api: ApiClient,
  { sweep, json, limit }: { sweep: SweepFragment; json: boolean; limit: number },
): Promise<void> {
  const trials = await fetchTrials(api, sweep.id);
  const importance = await fetchImportance(api, sweep.id);
  if (json) {
    terminal.print(JSON.stringify({ ...sweepJson(sweep, trials), importance }, null, 2));
    return;
  }
  const confirmations = await fetchConfirmations(api, sweep);
  const failure = trials.some(({ error }) => error !== null) ? [] : await failureLines(api, trials);
  const lines = [...sweepLines(sweep, trials, { screen: terminal, limit }), ...failure];
  terminal.print([...lines, ...confirmationLines(sweep, confirmations), ...importanceLines(importance)].join('\n'));
}

/** Why the first of the runs that failed did so. */
async function failureLines(api: ApiClient, trials: readonly TrialFragment[]): Promise<string[]> {
  const failed = trials
    .flatMap(({ number, runs }) => runs.map((run) => ({ trial: number, run })))
    .find(({ run }) => run.state === 'FAILED');
  if (failed === undefined) return [];
  const { run } = await api.request(RunFailureDocument, { id: String(failed.run.number) });
  const message = run?.error?.message.split('\n')[0] ?? '';
  return message === '' ? [] : [`trial ${failed.trial} failed: #${failed.run.number}: ${printable(message)}`];
}

/** The body of `warren sweep show`. */
export async function showCommand(
  context: CommandContext,
  reference: string,
  { json = false, limit }: { json?: boolean; limit: number },
): Promise<void> {
  const id = sweepReference(reference);
  const api = await context.api();
  await printSweep(context, api, { sweep: await fetchSweep(api, id), json, limit });
}

/** The body of `warren sweep ls`. */
export async function listCommand(
  context: CommandContext,
  { project, limit, json = false }: { project?: string; limit: number; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const { sweeps } = await api.request(SweepsDocument, { project: project ?? null, first: limit });
  if (json)
    terminal.print(
      JSON.stringify(
        sweeps.map((sweep) => sweepJson(sweep)),
        null,
        2,
      ),
    );
  else if (sweeps.length === 0) terminal.say('warren: there are no sweeps yet; `warren sweep create` starts one');
  else terminal.print(sweepTable(sweeps, terminal, new Date()).join('\n'));
}

/** The body of `warren sweep pause`, `resume` and `cancel`. */
export async function actCommand(
  context: CommandContext,
  action: Parameters<typeof actOnSweep>[1],
  { reference, json }: { reference: string; json: boolean },
): Promise<void> {
  const id = sweepReference(reference);
  const sweep = await actOnSweep(await context.api(), action, id);
  context.terminal.print(json ? JSON.stringify(sweepJson(sweep), null, 2) : sweepLine(sweep, context.terminal));
}

export interface ExtendOptions {
  trials?: number;
  hours?: number;
  epochs?: number;
  concurrency?: number;
  untilNothingBetterIn?: number;
  set?: string[];
  key?: string;
  json?: boolean;
}

/** The body of `warren sweep extend`. */
export async function extendCommand(
  context: CommandContext,
  reference: string,
  { set = [], json = false, key: given, ...options }: ExtendOptions,
): Promise<void> {
  const id = sweepReference(reference);
  const parameters = set.length === 0 ? {} : { parameters: Object.fromEntries(set.map(parseParameterFlag)) };
  const api = await context.api();
  const { extendSweep: sweep } = await askKeyed(
    (key) => api.request(ExtendSweepDocument, { input: { id, ...options, ...parameters, key } }),
    { ...context, key: given },
  );
  context.terminal.print(json ? JSON.stringify(sweepJson(sweep), null, 2) : sweepLine(sweep, context.terminal));
}

/** The body of `warren sweep confirm`: queues the best trial on fresh seeds, as `warren run` queues runs. */
export async function confirmCommand(
  context: CommandContext,
  reference: string,
  options: { seeds: number; trial?: number; wait?: boolean; json?: boolean },
): Promise<void> {
  const variables = { id: sweepReference(reference), seeds: options.seeds, trial: options.trial ?? null };
  const api = await context.api();
  const { confirmSweep: runs } = await askKeyed(
    (key) => api.request(ConfirmSweepDocument, { ...variables, key }),
    context,
  );
  if (runs.length === 0) {
    const sweep = await fetchSweep(api, variables.id);
    const { untakenConfirmations: seeds } = await fetchConfirmations(api, sweep);
    const { terminal } = context;
    if (options.json === true) terminal.print(JSON.stringify({ sweep: sweep.number, untakenSeeds: seeds }, null, 2));
    else terminal.print(`sweep ${sweep.number}: ${untakenText(sweep, seeds)}`);
    if (options.wait === true)
      terminal.say('warren: agents take these runs when they ask, so --wait does not wait for them');
    return;
  }
  await tellQueued(context, { api, runs, wait: options.wait === true, json: options.json === true });
}
