import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { warn } from '../core/warn.ts';
import type { AgentOptions } from './agent.ts';
import type { SyncOptions, Synced } from './syncing.ts';

const USAGE = `usage: node warren.mjs sync [FOLDER…] [--project PROJECT] [--server ADDRESS] [--token TOKEN]
       node warren.mjs agent SWEEP [--count TRIALS] [--server ADDRESS] [--token TOKEN]

sync   sends journals of offline or dead programs (of warren-runs unless given); again and again is harmless
agent  executes trials of a sweep whose file names a program or a command

ADDRESS and TOKEN are WARREN_API_URL and WARREN_TOKEN unless given; sync sends to the server of the journal without both.
`;

/** What the commands call. */
export interface Commands {
  sync(folder: string, options: SyncOptions): Promise<Synced[]>;
  agent(sweep: string, options: AgentOptions): Promise<number>;
}

/** Executes a command where the file of the client is the program itself: `node warren.mjs sync`. */
export async function executeIfProgram(commands: Commands): Promise<void> {
  // a bundle that has the client in it is a program of its own, under another name
  if (!isMainThread || basename(process.argv[1] ?? '') !== 'warren.mjs') return;
  process.exitCode = await execute(process.argv.slice(2), commands);
}

async function execute(given: string[], { sync, agent }: Commands): Promise<number> {
  const text = { type: 'string' } as const;
  try {
    const options = { project: text, server: text, token: text, count: text, help: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true });
    const { project, server, token, count } = values;
    const [command, ...rest] = positionals;
    if (values.help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const reached = { ...(server === undefined ? {} : { server }), ...(token === undefined ? {} : { token }) };
    if (command === 'sync' && count === undefined) {
      const folders = rest.length === 0 ? ['warren-runs'] : rest;
      return await syncFolders(folders, (folder) =>
        sync(folder, { ...reached, ...(project === undefined ? {} : { project }) }),
      );
    }
    const [sweep] = rest;
    if (command === 'agent' && sweep !== undefined && rest.length === 1 && /^\d*$/.test(count ?? '')) {
      await agent(sweep, { ...reached, ...(count === undefined ? {} : { count: Number(count) }) });
      return 0;
    }
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) {
      warn(error instanceof Error ? error.message : String(error));
      return 1;
    }
    warn(error.message);
  }
  process.stderr.write(USAGE);
  return 2;
}

async function syncFolders(folders: string[], sync: (folder: string) => Promise<Synced[]>): Promise<number> {
  const all: Synced[] = [];
  for (const folder of folders) {
    const done = await sync(folder);
    for (const { path, outcome, detail, url } of done)
      console.log(`${path}: ${outcome}${url === undefined ? '' : ` to ${url}`}${detail === '' ? '' : ` (${detail})`}`);
    all.push(...done);
  }
  if (all.length === 0) {
    warn(`no journal in ${folders.join(', ')}`);
    return 2;
  }
  return all.some(({ outcome }) => outcome === 'refused' || outcome === 'no room') ? 1 : 0;
}
