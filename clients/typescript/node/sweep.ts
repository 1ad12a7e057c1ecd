import { randomUUID } from 'node:crypto';
import { CreateSweepDocument } from '../generated/api.ts';
import { Refused } from '../core/failures.ts';
import { askOnce } from '../core/askOnce.ts';
import { transportTo } from '../core/transport.ts';
import { checkedMembers, plainParameters } from '../core/values.ts';
import { warn } from '../core/warn.ts';

export interface SweepOptions {
  /** Of its runs, over what the file says. */
  project?: string;
  /** What people call it, over what the file says. */
  name?: string;
  server?: string;
  token?: string;
}

/**
 * Starts a sweep, and answers its number for `agent`.
 * @param file In W&B's format: method, metric, parameters, run_cap, early_terminate, program or command. Where it names no `kind` of
 * Warren's, agents execute the trials.
 * @throws Error that says what is wrong with it
 */
export async function startSweep(
  file: Readonly<Record<string, unknown>>,
  { project, name }: SweepOptions,
  { server, token }: { server: string; token: string | null },
): Promise<number> {
  const told = { kind: 'external', ...plainParameters(checkedMembers('sweep', 'an object', file)) };
  const named = project ?? ('project' in told ? undefined : process.env.WARREN_PROJECT || undefined);
  const transport = transportTo(server, token);
  try {
    const input = {
      file: told,
      key: randomUUID(),
      ...(named === undefined ? {} : { project: named }),
      ...(name === undefined ? {} : { name }),
    };
    const { createSweep: made } = await askOnce(transport, CreateSweepDocument, { input });
    for (const warning of made.warnings) warn(`sweep: ${warning}`);
    const { number } = made.sweep;
    warn(`sweep ${number} at ${transport.url}/sweeps/${number}`);
    return number;
  } catch (error) {
    throw error instanceof Refused ? new Error(`sweep: ${error.message}`) : error;
  }
}
