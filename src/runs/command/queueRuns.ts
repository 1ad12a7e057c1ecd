import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { printable } from '#src/base/lib/printable.ts';
import {
  EnqueueRunsDocument,
  type QueuedRunFragment,
  type RunResultFragment,
  type RunSummaryFragment,
} from '#src/generated/api.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { fetchResults } from './fetchRuns.ts';
import { type RunResultJson, runResultJson } from './runResultJson.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { followRuns, progressRow } from './followRuns.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { createProgressView } from '#src/base/terminal/progressView.ts';
import { resultTable } from './resultTable.ts';
import type { RunRequest } from './runRequest.ts';

/** The body of `warren run` without --local: queues the runs and, with --wait, follows them to their end. */
export async function queueRuns(context: CommandContext, { input, wait, json }: RunRequest): Promise<void> {
  const api = await context.api();
  const { terminal } = context;
  const ask = (key: string) => api.request(EnqueueRunsDocument, { input: { ...input, key } });
  const { enqueueRuns: runs } = await askKeyed(ask, { key: input.key ?? undefined, terminal }).catch(
    (error: unknown) => {
      if (error instanceof WarrenError && error.code === 'UNAVAILABLE') checkWithoutApi(input);
      throw error;
    },
  );
  await tellQueued(context, { api, runs, wait, json });
}

/** Says what was queued and, with `wait`, follows the runs to their end. */
export async function tellQueued(
  context: CommandContext,
  { api, runs, wait, json }: { api: ApiClient; runs: readonly QueuedRunFragment[]; wait: boolean; json: boolean },
): Promise<void> {
  const { terminal } = context;
  for (const warning of new Set(runs.flatMap((run) => run.warnings))) terminal.say(`warren: ${printable(warning)}`);
  if (wait) {
    await waitForRuns(context, api, runs, json);
    return;
  }
  if (json) {
    const printed = runs.map(queuedRunJson);
    terminal.print(JSON.stringify(printed.length === 1 ? printed[0] : printed, null, 2));
    return;
  }
  for (const run of runs)
    terminal.print(`#${run.number} ${printable(run.name)} · seed ${run.seed}: ${run.state.toLowerCase()}`);
  terminal.say(
    terminal.colours.dim(
      `\`warren show ${runs[0]?.number ?? ''}\` shows it, \`warren ls\` lists all, ${api.url} has the dashboard`,
    ),
  );
}

/**
 * Says what is wrong with a request as far as this version knows, when no API can: an API may know kinds and parameters that
 * this version does not, so its word comes first where there is one.
 */
function checkWithoutApi({ kind, dataset, parameters, preset }: RunRequest['input']): void {
  resolveConfiguration({ kind, dataset, parameters, preset: preset ?? null });
}

/** Shows the progress of runs until they have ended. False where a person has ended the waiting: the runs go on. */
export async function followToEnd(
  context: CommandContext,
  api: ApiClient,
  queued: readonly RunSummaryFragment[],
): Promise<boolean> {
  const { terminal } = context;
  const interruption = context.catchInterruption();
  const view = createProgressView(terminal.error, context.variables);
  try {
    view.update(queued.map(progressRow));
    await followRuns(
      api,
      queued.map((run) => run.id),
      {
        onUpdate: (runs) => view.update(runs.map(progressRow)),
        onAway: () => terminal.say('warren: the API does not answer; waiting for it'),
        signal: interruption.signal,
      },
    );
    return true;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    const numbers = queued.map((run) => run.number).join(' ');
    terminal.say(`warren: no longer waiting; the runs go on. \`warren cancel ${numbers}\` stops them.`);
    context.exitCode = interruption.exitCode();
    return false;
  } finally {
    view.finish();
    interruption.release();
  }
}

async function waitForRuns(
  context: CommandContext,
  api: ApiClient,
  queued: readonly RunSummaryFragment[],
  json: boolean,
): Promise<void> {
  const { terminal } = context;
  const ids = queued.map((run) => run.id);
  if (!(await followToEnd(context, api, queued))) return;
  const results = await fetchResults(api, ids);
  if (json) {
    const printed = results.map(endedRunJson);
    terminal.print(JSON.stringify(printed.length === 1 ? printed[0] : printed, null, 2));
  } else {
    const good = results.filter((run) => run.state === 'SUCCEEDED');
    // the API may know modules that this machine does not
    const directions = new Map(good.flatMap(({ metrics }) => metrics.map(({ name, direction }) => [name, direction])));
    const directionOf = (metric: string) => directions.get(metric) ?? null;
    if (good.length > 0) terminal.print(resultTable(good.map(resultJson), { terminal, directionOf }).join('\n'));
  }
  for (const run of results) {
    if (run.state === 'FAILED')
      terminal.say(`warren: #${run.number} failed: ${printable(run.error?.message ?? 'without a reason')}`);
  }
  if (results.some((run) => run.state !== 'SUCCEEDED')) context.exitCode = EXIT_FAILED;
}

function resultJson(run: RunResultFragment): RunResultJson {
  return runResultJson({
    kind: run.configuration.kind,
    dataset: run.configuration.datasetName,
    seed: run.seed,
    parameters: asPlainObject(run.configuration.parameters),
    metrics: run.metrics.map((metric) => [metric.name, toNumber(metric.lastValue)] as const),
    environment: asPlainObject(run.environment),
  });
}

function endedRunJson(run: RunResultFragment) {
  return { id: run.id, number: run.number, state: run.state, ...resultJson(run), error: run.error };
}

function queuedRunJson(run: RunSummaryFragment) {
  const { kind, datasetName, parameters } = run.configuration;
  return {
    id: run.id,
    number: run.number,
    state: run.state,
    kind,
    dataset: datasetName,
    seed: run.seed,
    config: parameters,
  };
}
