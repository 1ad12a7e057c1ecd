import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { enqueueCommand } from '#src/programs/command/enqueueCommand.ts';
import { parseCommandRequest } from '#src/programs/command/commandRequest.ts';
import { withPackedCode } from '#src/programs/command/packedCode.ts';
import { keyInput, seedsInput } from '#src/base/tools/inputs.ts';
import { defineTool } from '#src/base/tools/tool.ts';
import { queuedAnswer, sameCall } from '#src/runs/tools/queuedAnswer.ts';

export const queueCommand = defineTool({
  name: 'queue_command',
  title: 'Queue a command',
  description:
    'Queue any command, one run for each seed: workers that take commands execute it with the files of a Git repository (all but ignored ones), on other machines than this one. {name} in an argument is the value of `set`, {seed} the seed.',
  effect: 'executes',
  input: z.strictObject({
    command: z
      .array(z.string())
      .min(1)
      .describe('Program and arguments, such as ["python", "train.py", "--lr", "{lr}"]'),
    folder: z
      .string()
      .optional()
      .describe(
        'Absolute path of the folder, in a Git repository, whose files go with it and where it starts; no files when left out',
      ),
    set: z.record(z.string(), z.unknown()).optional().describe('Parameters by path: { "lr": 0.1 }'),
    seeds: seedsInput,
    project: z.string().optional().describe('"default" when left out; made where there is none'),
    name: z.string().optional(),
    tags: z.array(z.string()).optional(),
    gpus: z.number().int().min(0).max(64).optional().describe('GPUs for each run; none when left out'),
    environment: z
      .enum(['auto', 'none'])
      .optional()
      .describe('auto installs uv.lock, requirements.txt or pyproject.toml'),
    key: keyInput,
  }),
  async answer({ api, command }, { command: words, folder, set = {}, tags, ...flags }) {
    if (folder !== undefined && !isAbsolute(folder)) {
      throw badInput(
        `expected an absolute path, not "${folder}": agents and this server may be in different folders`,
        'folder',
      );
    }
    const given = Object.entries(flags).filter(([, value]) => value !== undefined);
    const { input } = parseCommandRequest(words, {
      ...Object.fromEntries(given),
      ...(tags === undefined ? {} : { tag: tags }),
      set: Object.entries(set).map(([path, value]) => `${path}=${JSON.stringify(value)}`),
      code: folder !== undefined,
    });
    const wanted = { withCode: folder !== undefined, command: words, ...(folder === undefined ? {} : { folder }) };
    return await withPackedCode(command, wanted, async ({ fields, file }) => {
      const ask = (key: string) => enqueueCommand(api, { ...input, ...fields, key }, file);
      const options = { key: input.key ?? undefined, terminal: command.terminal, again: sameCall };
      return queuedAnswer(api, await askKeyed(ask, options));
    });
  },
});
