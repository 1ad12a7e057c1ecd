import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#src/lib/projectRoot.ts';
import { printable } from '#src/lib/printable.ts';
import { enqueueCommand } from '../api/enqueueCommand.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandRequest } from './commandRequest.ts';
import { gitFiles } from './gitFiles.ts';
import { packCode } from './packCode.ts';
import { tellQueued } from './queueRuns.ts';

/** The body of `warren run -- COMMAND`: packs the code, queues the runs and, with --wait, follows them to their end. */
export async function queueCommand(context: CommandContext, request: CommandRequest): Promise<void> {
  const api = await context.api();
  const folder = await mkdtemp(join(tmpdir(), 'warren-code-'));
  try {
    const file = request.withCode ? join(folder, 'code.tar.gz') : null;
    const code = file === null ? {} : await packWorkingFolder(context, file);
    const runs = await enqueueCommand(api, { ...request.input, ...code }, file);
    await tellQueued(context, { api, runs, wait: request.wait, json: request.json });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the command was typed: `npm run` starts every command in Warren's own folder, and says from where it was called. */
function callersFolder(): string {
  const folder = process.cwd();
  return folder === projectRoot() ? (process.env.INIT_CWD ?? folder) : folder;
}

async function packWorkingFolder({ terminal }: CommandContext, target: string) {
  const { root, folder, paths, commit, branch, changed } = await gitFiles(callersFolder());
  const { sha256, left } = await packCode(root, paths, target);
  if (left.length > 0) terminal.say(`warren: left out, since they are no files: ${left.map(printable).join(', ')}`);
  const origin = commit === null ? {} : { codeCommit: commit, codeChanged: changed };
  return { code: sha256, folder, origin: branch === null ? origin : { ...origin, codeBranch: branch } };
}
