import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Unreachable } from '../core/failures.ts';
import { warn } from '../core/warn.ts';
import { readPosition, REST } from './journal.ts';
import { retire } from './keptJournals.ts';
import { syncJournal } from './syncing.ts';

/** What is to be done after Ctrl-C. */
export interface GuardOrder {
  /** Its path. */
  journal: string;
  /** Of the program that wrote it. */
  pid: number;
  /** Null: nothing is sent. */
  server: string | null;
  token: string | null;
}

/** Names the order in the environment of the process that sends the rest. */
export const GUARD_ORDER = 'WARREN_SEND_THE_REST';

/** Sends what a program that Ctrl-C has ended left, in a process of its own. */
export async function sendRest(): Promise<void> {
  const order: GuardOrder = JSON.parse(process.env[GUARD_ORDER] ?? '');
  const { journal, pid, server, token } = order;
  const again = `\`node warren.mjs sync ${dirname(journal)}\` or the next start sends the rest`;
  try {
    releaseLock(journal, pid);
    const { outcome } = await syncJournal(journal, { server: server ?? undefined, token: token ?? undefined });
    // a run that was cancelled in the dashboard takes no more, and the program was told
    if (outcome === 'no room') warn(`not all is stored: ${again}`);
    else if (/^(sent|nothing new)$/.test(outcome) && readPosition(journal).ended) retire(journal);
  } catch (error) {
    warn(`not all is sent (${error instanceof Unreachable ? error.message : String(error)}): ${again}`);
  } finally {
    rmSync(`${journal}${REST}`, { force: true });
  }
}

/** The program is gone, though the system may not have forgotten it yet. */
function releaseLock(journal: string, pid: number): void {
  try {
    if (readFileSync(`${journal}.lock`, 'utf8').startsWith(`${pid} `)) rmSync(`${journal}.lock`, { force: true });
  } catch {
    // it is released
  }
}
