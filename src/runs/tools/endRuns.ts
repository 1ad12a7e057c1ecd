import { z } from 'zod';
import type { OutcomeFragment } from '#src/generated/api.ts';
import { cancelRuns as cancel, retryRuns as retry } from '#src/runs/command/actOnRuns.ts';
import { fetchRuns } from '#src/runs/command/fetchRuns.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { runAddress } from '#src/base/tools/dashboard.ts';
import { runsInput } from '#src/base/tools/inputs.ts';
import { defineTool, type ToolAnswer } from '#src/base/tools/tool.ts';

const MOST_RUNS = 100;

export const cancelRuns = defineTool({
  name: 'cancel_runs',
  title: 'Cancel runs',
  description:
    'Stop runs that wait or run; what they have logged stays. Only those that were asked for: their computing is lost, though retry_runs continues one from its last checkpoint.',
  effect: 'changes',
  idempotent: true,
  input: z.strictObject({ runs: runsInput(MOST_RUNS) }),
  answer: async ({ api }, { runs }) => outcomeAnswer(api, await cancel(api, runs), 'cancelled'),
});

export const retryRuns = defineTool({
  name: 'retry_runs',
  title: 'Retry runs',
  description:
    'Queue failed, cancelled or pruned runs again: a new attempt of the same run, from its last checkpoint. A run that failed for its settings fails again: queue another instead.',
  effect: 'adds',
  input: z.strictObject({ runs: runsInput(MOST_RUNS) }),
  async answer({ api, allowCommands }, { runs }) {
    if (allowCommands) return outcomeAnswer(api, await retry(api, runs), 'queued again');
    const found = await fetchRuns(api, runs);
    const commands = found.filter(({ configuration }) => configuration.kind === 'command');
    const others = found.filter(({ configuration }) => configuration.kind !== 'command');
    const outcomes =
      others.length === 0
        ? []
        : await retry(
            api,
            others.map(({ id }) => id),
          );
    const refused = commands.map(({ id, number, name, state }) => ({
      ...{ id, done: false, run: { number, name, state } },
      message: `run ${number} is a command: \`warren mcp\` executes it again with --allow-commands alone`,
    }));
    return outcomeAnswer(api, [...outcomes, ...refused], 'queued again');
  },
});

/** A line for each run: what was done, or why nothing was. */
function outcomeAnswer(api: ApiClient, outcomes: readonly OutcomeFragment[], done: string): ToolAnswer {
  const lines = outcomes.map(({ id, done: isDone, message, run }) => {
    const label = run === null ? id : `#${run.number} ${run.name}`;
    if (!isDone) return `- ${label}: nothing was done: ${message ?? 'it cannot be'}`;
    return `- ${label}: ${done}${run === null ? '' : `, ${runAddress(api, run.number)}`}`;
  });
  return {
    text: lines.join('\n'),
    data: {
      outcomes: outcomes.map(({ id, done: isDone, message, run }) => ({
        ...{ id, number: run?.number ?? null, state: run?.state ?? null, done: isDone, message },
        address: run === null ? null : runAddress(api, run.number),
      })),
    },
  };
}
