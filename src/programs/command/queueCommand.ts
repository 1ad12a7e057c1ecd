import { unusedNote } from '#src/catalog/commandLine.ts';
import { asPlainObject, flattenObject } from '#src/base/lib/plainObject.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { enqueueCommand } from './enqueueCommand.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { CommandRequest } from './commandRequest.ts';
import { withPackedCode } from './packedCode.ts';
import { tellQueued } from '#src/runs/command/queueRuns.ts';

/** The body of `warren run -- COMMAND`: packs the code, queues the runs and, with --wait, follows them to their end. */
export async function queueCommand(context: CommandContext, request: CommandRequest): Promise<void> {
  const api = await context.api();
  const { command, seeds = [] } = request.input;
  if (new Set(seeds).size > 1 && !command.some((word) => word.includes('{seed}'))) {
    context.terminal.say(
      'warren: no argument of the command has {seed}: its runs differ only if it reads its seed from WARREN_SEED',
    );
  }
  const names = flattenObject(asPlainObject(request.input.parameters)).map(([path]) => path);
  const unused = unusedNote(command, names);
  if (unused !== null) context.terminal.say(`warren: ${unused}`);
  await withPackedCode(
    context,
    { withCode: request.withCode, withSecretFiles: request.withSecretFiles, command: request.input.command },
    async ({ fields, file }) => {
      const input = { ...request.input, ...fields };
      const ask = (key: string) => enqueueCommand(api, { ...input, key }, file);
      const runs = await askKeyed(ask, { key: input.key ?? undefined, terminal: context.terminal });
      await tellQueued(context, { api, runs, wait: request.wait, json: request.json });
    },
  );
}
