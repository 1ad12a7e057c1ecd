import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { changeNamedRuns, type RunChange } from '#src/runs/command/changeNamedRuns.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { fetchRuns } from '#src/runs/command/fetchRuns.ts';
import { runAddress } from '#src/base/tools/dashboard.ts';
import { runsInput } from '#src/base/tools/inputs.ts';
import { paragraphs } from '#src/base/tools/markdown.ts';
import { defineTool, type ToolAnswer } from '#src/base/tools/tool.ts';

const MOST_RUNS = 100;

export const tagRuns = defineTool({
  name: 'tag_runs',
  title: 'Tag runs',
  description: 'Add tags to runs, or take them away. Filters find them: tag = baseline.',
  effect: 'changes',
  idempotent: true,
  input: z.strictObject({
    runs: runsInput(MOST_RUNS),
    add: z.array(z.string()).default([]),
    remove: z.array(z.string()).default([]),
  }),
  async answer({ api }, { runs, add, remove }) {
    if (add.length + remove.length === 0) throw badInput('give tags to add, or to remove', 'add');
    const change = await changeNamedRuns(api, runs, { action: 'TAG', addTags: add, removeTags: remove });
    const what = [
      ...(add.length > 0 ? [`added ${add.join(', ')}`] : []),
      ...(remove.length > 0 ? [`removed ${remove.join(', ')}`] : []),
    ];
    return await changeAnswer(api, change, { runs, what: what.join(', ') });
  },
});

export const noteRuns = defineTool({
  name: 'note_runs',
  title: 'Add to the notes of runs',
  description: 'Add a paragraph, in Markdown, at the end of the notes of runs; what people wrote stays.',
  effect: 'adds',
  input: z.strictObject({ runs: runsInput(MOST_RUNS), note: z.string().min(1) }),
  async answer({ api }, { runs, note }) {
    const change = await changeNamedRuns(api, runs, { action: 'EDIT', addNote: note });
    return await changeAnswer(api, change, { runs, what: 'added the note' });
  },
});

async function changeAnswer(
  api: ApiClient,
  { changedIds, refused, refusedCount }: RunChange,
  { runs, what }: { runs: readonly string[]; what: string },
): Promise<ToolAnswer> {
  const changed = (await fetchRuns(api, [...new Set(runs)])).filter(({ id }) => changedIds.includes(id));
  return {
    text: paragraphs(
      changed.map(({ number, name }) => `- #${number} ${name}: ${what}, ${runAddress(api, number)}`).join('\n'),
      refused.map(({ id, message }) => `- ${message ?? `${id}: nothing was done`}`).join('\n'),
    ),
    data: {
      changed: changed.map(({ number, id, tags }) => ({ number, id, tags, address: runAddress(api, number) })),
      refused: refused.map(({ id, message }) => ({ id, message })),
      refusedCount,
    },
  };
}
