import { randomUUID } from 'node:crypto';
import { claimRun } from '#src/services/attempts/claimRun.ts';
import { registerWorker } from '#src/services/fleet/workers.ts';
import { enqueueRuns } from '#src/services/runs/enqueueRuns.ts';
import { issueToken } from '#src/services/tokens/apiTokens.ts';
import type { TwoProjects } from './twoProjects.ts';

export interface Caller {
  name: string;
  /** Null: sends none. */
  token: string | null;
  /** Whether it may read the runs of `mine` with it. */
  reads: boolean;
}

/** Everybody who may do something in the project `mine`, and those who may do nothing. */
export async function callersOfMine({ context, ok, mine }: TwoProjects): Promise<Caller[]> {
  const granted = async (name: string, role: 'READ' | 'WRITE' | 'ADMIN', rights = {}): Promise<Caller> => {
    const grants = [{ project: 'mine', role, ...rights }];
    const { token } = await issueToken(context, { name: `for ${name}, ${randomUUID()}`, role: 'READ', grants });
    return { name, token, reads: true };
  };
  const { createShareLink: link } = await ok(
    'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { secret } }',
    { input: { runs: [mine.runId] } },
  );
  return [
    await granted('a reader', 'READ'),
    await granted('a writer', 'WRITE'),
    await granted('who runs commands', 'WRITE', { mayQueueCommands: true }),
    await granted('an administrator', 'ADMIN'),
    { name: 'a run', token: await tokenOfRun(context), reads: false },
    { name: 'who has a link', token: link.secret, reads: true },
    { name: 'nobody', token: null, reads: false },
    { name: 'an unknown token', token: `warren_${'a'.repeat(43)}`, reads: false },
  ];
}

/** The token of a run of `mine` that a worker executes, for a day. */
async function tokenOfRun(context: TwoProjects['context']): Promise<string> {
  const worker = { id: randomUUID(), name: 'test-worker', host: 'here', pid: 1, version: '0' };
  const device = { backend: 'cpu', device: 'cpu' };
  await registerWorker(context, { ...worker, ...device, gpu: false, slots: 1, details: {} });
  const [run] = await enqueueRuns(context, {
    ...{ kind: 'popularity', dataset: 'generated/markov-small', project: 'mine', seeds: [7] },
  });
  const payload = { runId: run!.id, attempt: 1 };
  const claimed = await claimRun(context, { payload, workerId: worker.id, workerName: worker.name, ...device });
  await context.db.$executeRaw`UPDATE run SET lease_expires_at = now() + interval '1 day' WHERE id = ${run!.id}::uuid`;
  return claimed!.token;
}
