import { z } from 'zod';
import { EnqueueRunsDocument } from '#src/generated/api.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { parseRunRequest } from '#src/runs/command/runRequest.ts';
import { keyInput, seedsInput } from '#src/base/tools/inputs.ts';
import { defineTool } from '#src/base/tools/tool.ts';
import { queuedAnswer, sameCall } from './queuedAnswer.ts';

export const queueRuns = defineTool({
  name: 'queue_runs',
  title: 'Queue runs',
  description:
    'Queue runs of a kind, one for each seed; a worker executes them. `kinds` tells parameters and presets. Each costs computing time, so queue what was asked for and no more. Programs of one’s own are not queued by this.',
  effect: 'adds',
  input: z.strictObject({
    kind: z.string(),
    preset: z.string().optional(),
    dataset: z.string().optional().describe("Name of a dataset; the preset's when left out"),
    set: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Parameters by path, over the preset: { "optimizer.learningRate": 0.01, "dataset.core": 5 }'),
    seeds: seedsInput,
    project: z.string().optional().describe('"default" when left out; made where there is none'),
    name: z.string().optional(),
    tags: z.array(z.string()).optional(),
    key: keyInput,
  }),
  async answer({ api, command }, { kind, set = {}, tags, ...flags }) {
    const given = Object.entries(flags).filter(([, value]) => value !== undefined);
    const { input } = parseRunRequest(kind, {
      ...Object.fromEntries(given),
      ...(tags === undefined ? {} : { tag: tags }),
      set: Object.entries(set).map(([path, value]) => `${path}=${JSON.stringify(value)}`),
    });
    const ask = (key: string) => api.request(EnqueueRunsDocument, { input: { ...input, key } });
    const options = { key: input.key ?? undefined, terminal: command.terminal, again: sameCall };
    return queuedAnswer(api, (await askKeyed(ask, options)).enqueueRuns);
  },
});
