import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { CreateSweepDocument } from '#src/generated/api.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { PARAMETER_FORMS } from '#src/sweeps/command/parameterFlag.ts';
import { readSweepRequest } from '#src/sweeps/command/sweepFile.ts';
import { sweepLine } from '#src/sweeps/command/showSweep.ts';
import { createColours } from '#src/base/terminal/colours.ts';
import { sweepAddress } from '#src/base/tools/dashboard.ts';
import { keyInput, seedsInput } from '#src/base/tools/inputs.ts';
import { paragraphs } from '#src/base/tools/markdown.ts';
import { sweepData } from './showSweeps.ts';
import { defineTool } from '#src/base/tools/tool.ts';
import { sameCall } from '#src/runs/tools/queuedAnswer.ts';

export const createSweep = defineTool({
  name: 'create_sweep',
  title: 'Create a sweep',
  description:
    'Search for good parameters of a kind: trials are drawn, queued and compared until the budget is spent. The objective is a validation metric, such as valid/ndcg@10, never one of the test. Sweeps over programs of one’s own are made by `warren sweep create`.',
  effect: 'adds',
  input: z.strictObject({
    kind: z.string(),
    preset: z.string().optional(),
    dataset: z.string().optional(),
    set: z
      .record(z.string(), z.unknown())
      .describe(
        `What varies, and constants, by path: { "learningRate": "loguniform(1e-4,1e-2)", "dimension": "choice(32,64)", "epochs": 20 }. Forms: ${PARAMETER_FORMS}`,
      ),
    metric: z.string().describe('The objective'),
    goal: z.enum(['maximize', 'minimize']).optional().describe('Which way it is better; known for Warren’s metrics'),
    method: z.enum(['grid', 'random', 'sobol', 'tpe']).optional().describe('tpe when left out'),
    trials: z.number().int().min(1).max(10_000).default(20).describe('Trials in all: each is a run for each seed'),
    concurrency: z.number().int().min(1).max(1_000).optional().describe('Trials at once'),
    seeds: seedsInput,
    project: z.string().optional().describe('"default" when left out'),
    name: z.string().optional(),
    key: keyInput,
  }),
  async answer({ api, command }, { set, project, name, key, ...flags }) {
    if (flags.kind === 'command' || flags.kind === 'sweep') {
      throw badInput('a sweep over a program of one’s own is made by `warren sweep create … -- COMMAND`', 'kind');
    }
    const given = Object.entries(flags).filter(([, value]) => value !== undefined);
    const file = await readSweepRequest(undefined, {
      ...Object.fromEntries(given),
      set: Object.entries(set).map(
        ([path, value]) => `${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    });
    const input = { file, ...(project === undefined ? {} : { project }), ...(name === undefined ? {} : { name }) };
    const ask = (own: string) => api.request(CreateSweepDocument, { input: { ...input, key: own } });
    const { createSweep: made } = await askKeyed(ask, { key, terminal: command.terminal, again: sameCall });
    const { sweep, warnings } = made;
    return {
      text: paragraphs(
        `Created ${sweepLine(sweep, { colours: createColours(false) })}, ${sweepAddress(api, sweep.number)}`,
        warnings.join('\n'),
      ),
      data: { sweep: sweepData(api, sweep), warnings },
    };
  },
});
