import type { QueuedRunFragment } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { runAddress } from '#src/base/tools/dashboard.ts';
import { markdownTable, paragraphs } from '#src/base/tools/markdown.ts';
import type { ToolAnswer } from '#src/base/tools/tool.ts';

/** What was queued, with the address of each run. */
export function queuedAnswer(api: ApiClient, runs: readonly QueuedRunFragment[]): ToolAnswer {
  const warnings = [...new Set(runs.flatMap((run) => run.warnings))];
  const rows = runs.map((run) => [
    ...[`#${run.number}`, run.name, String(run.seed), run.state.toLowerCase(), runAddress(api, run.number)],
  ]);
  return {
    text: paragraphs(
      `Queued ${runs.length === 1 ? '1 run' : `${runs.length} runs`} in project ${runs[0]?.project.name ?? ''}.`,
      markdownTable(['run', 'name', 'seed', 'state', 'address'], rows),
      warnings.join('\n'),
    ),
    data: {
      runs: runs.map(({ number, id, name, seed, state }) => ({
        ...{ number, id, name, seed, state, address: runAddress(api, number) },
      })),
      warnings,
    },
  };
}

/** What an agent does where no answer came. */
export function sameCall(key: string): string {
  return `The same call with key "${key}"`;
}
