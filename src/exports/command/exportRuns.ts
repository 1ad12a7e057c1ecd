import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { nodeStream } from '#src/base/platform/files/nodeStream.ts';
import { pipeline } from 'node:stream/promises';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { printableLines } from '#src/base/lib/printable.ts';
import { CountRunsDocument } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export interface ExportOptions {
  filter?: string | undefined;
  project?: string;
  format: 'jsonl' | 'csv';
  output?: string;
}

/** The body of `warren export`. A file appears under its name only when it is whole. */
export async function exportRuns(
  context: CommandContext,
  { filter, project, format, output }: ExportOptions,
): Promise<void> {
  const query = new URLSearchParams({
    format,
    ...(filter === undefined ? {} : { filter }),
    ...(project === undefined ? {} : { project }),
  });
  const api = await context.api();
  const body = await api.download(`/export?${query.toString()}`);
  await tellNone(context, api, { filter, project });
  if (output === undefined) {
    const parts = nodeStream(body);
    const shown = context.terminal.out.isTTY ? parts.setEncoding('utf8').map(onScreen) : parts;
    await pipeline(shown, context.terminal.out, { end: false }).catch((error: unknown) => {
      throw broken(error);
    });
    return;
  }
  const partial = `${output}.partial`;
  try {
    await pipeline(nodeStream(body), createWriteStream(partial));
    await rename(partial, output);
  } catch (error) {
    await rm(partial, { force: true });
    throw isFileError(error)
      ? badInput(`cannot write ${output}: ${coerceError(error).message}`, '--output')
      : broken(error);
  }
  context.terminal.say(`warren: written to ${output}`);
}

/** An export without a line looks like one that failed: says that no run matches. */
async function tellNone(
  { terminal }: CommandContext,
  api: ApiClient,
  { filter, project }: { filter: string | undefined; project: string | undefined },
): Promise<void> {
  const which = { filter: filter ?? '', project: project ?? null, inTrash: false };
  if ((await api.request(CountRunsDocument, which)).runs.totalCount > 0) return;
  terminal.say(filter === undefined ? 'warren: there is no run' : 'warren: no run matches the filter');
}

/** In a file or a pipe the data are as they were; a screen would obey them. */
function onScreen(text: string): string {
  return printableLines(text.replaceAll('\r\n', '\n'), { colours: false });
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['open', 'write', 'rename'].includes(String(error.syscall));
}

function broken(cause: unknown): WarrenError {
  return new WarrenError(
    'UNAVAILABLE',
    'the connection broke before everything was read: the file that was written is incomplete',
    {
      cause,
    },
  );
}
