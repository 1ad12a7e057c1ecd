import { randomUUID } from 'node:crypto';
import { putUser } from '#src/people/store/appUser.ts';
import { claimRun } from '#src/attempts/claimRun.ts';
import { registerWorker, stopWorker } from '#src/fleet/workers.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { issueToken, revokeToken } from '#src/people/apiTokens.ts';
import { issueOwnToken } from '#src/people/ownTokens.ts';
import type { CrowdedProjects } from './crowdedProjects.ts';

export interface Caller {
  name: string;
  /** Null: sends none. */
  token: string | null;
  /** Whether it may read the runs of `mine` with it. */
  reads: boolean;
}

/** A worker that is alive. */
const WORKER = 'test-worker';
const SILENT_WORKER = 'silent-worker';

/** Everybody who may do something in the project `mine`, and those who may do nothing. */
export async function callersOfMine({ context, ok, mine }: CrowdedProjects): Promise<Caller[]> {
  const granted = async (name: string, role: 'READ' | 'WRITE' | 'ADMIN', rights = {}): Promise<Caller> => {
    const grants = [{ project: 'mine', role, ...rights }];
    const { token } = await issueToken(context, { name: `for ${name}, ${randomUUID()}`, role: 'READ', grants });
    return { name, token, reads: true };
  };
  const link = async (name: string, input: object): Promise<Caller & { id: string }> => {
    const { createShareLink: made } = await ok(
      'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { secret link { id } } }',
      { input },
    );
    return { name, token: made.secret, reads: false, id: made.link.id };
  };
  const withdrawn = await link('who has a withdrawn link', { runs: [mine.run] });
  await ok('mutation ($id: ID!) { withdrawShareLink(id: $id) { id } }', { id: withdrawn.id });
  const revoked = `revoked ${randomUUID()}`;
  const { token: gone } = await issueToken(context, { name: revoked, role: 'READ' });
  await revokeToken(context, revoked, null);
  const { token: late, record } = await issueToken(context, { name: `expired ${randomUUID()}`, role: 'READ' });
  await context.db.apiToken.update({ where: { id: record.id }, data: { expiresAt: new Date(0) } });
  return [
    await granted('a reader', 'READ'),
    await granted('a writer', 'WRITE'),
    await granted('who runs commands', 'WRITE', { mayQueueCommands: true }),
    await granted('an administrator', 'ADMIN', { mayQueueCommands: true }),
    await ownToken({ context }, 'who reads by a token of their own', 'READ'),
    await ownToken({ context }, 'who writes by a token of their own', 'WRITE'),
    { name: 'a run', token: await tokenOfRun(context), reads: false },
    { ...(await link('who has a link', { runs: [mine.run] })), reads: true },
    await link('who has a link to a report', { report: mine.report }),
    await link('who has a link to a filter', { project: 'mine', filter: `tag = ${mine.mark}` }),
    withdrawn,
    { name: 'nobody', token: null, reads: false },
    { name: 'an unknown token', token: `warren_${'a'.repeat(43)}`, reads: false },
    { name: 'a revoked token', token: gone, reads: false },
    { name: 'an expired token', token: late, reads: false },
  ];
}

/** A token of somebody who administers `mine`, made for less than that. */
async function ownToken({ context }: Pick<CrowdedProjects, 'context'>, name: string, role: 'READ' | 'WRITE') {
  const { db } = context;
  const email = `${randomUUID()}@example.org`;
  const { id } = await putUser(db, {
    issuer: 'https://login.example',
    subject: email,
    email,
    emailVerified: true,
    name: email,
    role: null,
  });
  const project = await db.project.findUniqueOrThrow({ where: { name: 'mine' } });
  const grant = { id: randomUUID(), userId: id, projectId: project.id, role: 'ADMIN', mayQueueCommands: true } as const;
  await db.accessGrant.create({ data: grant });
  const within = { kind: 'projects', projects: [project.id] } as const;
  const { token } = await issueOwnToken(
    context,
    { name: 'own', role, expiresAt: new Date(Date.now() + 86_400_000) },
    { person: { id, name: email }, may: { reads: within, writes: within } },
  );
  return { name, token, reads: true };
}

/** The token of a run of `mine` that a worker executes, for a day. */
async function tokenOfRun(context: CrowdedProjects['context']): Promise<string> {
  const worker = { id: randomUUID(), name: WORKER, host: 'here', pid: 1, version: '0' };
  const device = { backend: 'cpu', device: 'cpu' };
  const facts = { ...device, gpu: false, slots: 1, details: {} };
  await registerWorker(context, { ...worker, ...facts });
  const silent = { ...worker, id: randomUUID(), name: SILENT_WORKER };
  await registerWorker(context, { ...silent, ...facts });
  await stopWorker(context, silent.id);
  const [run] = await enqueueRuns(context, {
    ...{ kind: 'popularity', dataset: 'generated/markov-small', project: 'mine', seeds: [7] },
  });
  const payload = { runId: run!.id, attempt: 1 };
  const claimed = await claimRun(context, { payload, workerId: worker.id, workerName: worker.name, ...device });
  await context.db.$executeRaw`UPDATE run SET lease_expires_at = now() + interval '1 day' WHERE id = ${run!.id}::uuid`;
  return claimed!.token;
}
