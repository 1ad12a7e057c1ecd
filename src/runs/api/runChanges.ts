import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { resolveRuns, whyNoRun } from '#src/runs/findRun.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { findProjectByName } from '#src/projects/store/projectRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import type { ChangeTopic } from '#src/base/graphql/changeHub.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';

export interface RunChangesArguments {
  runIds?: readonly string[] | null;
  project?: string | null;
}

/** Runs read at once. */
const BATCH = 100;
/** Of a whole project, what a new subscriber may have missed between its own query and the subscription. */
const RUNNING_FIRST = 200;
const ENDED_FIRST = 50;

/** The ids that references name. @throws WarrenError NOT_FOUND for the first that names no run. */
export async function followedIds(
  { services }: GraphqlContext,
  references: readonly string[],
  path = 'runIds',
): Promise<string[]> {
  if (references.length > LIMITS.followedRuns) {
    throw badInput(`${path}: at most ${LIMITS.followedRuns} runs can be followed, received ${references.length}`, path);
  }
  const runs = await resolveRuns(services.db, references);
  return runs.map((run, index) => {
    if (run === null)
      throw new WarrenError('NOT_FOUND', whyNoRun(references[index] ?? ''), { path: `${path}[${index}]` });
    return run.id;
  });
}

/**
 * The newest state of runs that change: each at most once a read, however often it changed in between. It begins with all
 * runs that were asked for by id, or with those of the project that run or ended last.
 */
export async function runChanges(
  context: GraphqlContext,
  { runIds, project }: RunChangesArguments,
): Promise<AsyncIterableIterator<RunRecord>> {
  const { changes, snapshots, outlet, onRetry } = context;
  const ids = runIds == null ? null : await followedIds(context, runIds);
  const projectId = project == null ? null : await projectIdOf(context, project);
  const topics: ChangeTopic[] =
    ids === null ? [{ type: 'project', projectId }] : ids.map((runId) => ({ type: 'run', runId }));
  const pending = new Set<string>();
  let gap = true;

  return changeStream<RunRecord>({
    onRetry,
    outlet,
    listen: (wake) =>
      changes.listen(topics, {
        onChange(event) {
          if (event.type !== 'run') return;
          pending.add(event.runId);
          wake();
        },
        onGap() {
          gap = true;
          wake();
        },
      }),
    async read() {
      if (gap) {
        for (const id of ids ?? (await activeIds(context, project ?? null))) pending.add(id);
        gap = false;
      }
      const { runs } = snapshots.current();
      const batch = [...pending].slice(0, BATCH);
      const found = await Promise.all(batch.map((id) => runs.load(id)));
      for (const id of batch) pending.delete(id);
      return {
        items: found.flatMap((run) =>
          run !== null && (projectId === null || run.projectId === projectId) ? [run] : [],
        ),
        more: pending.size > 0,
      };
    },
  });
}

async function projectIdOf({ services }: GraphqlContext, name: string): Promise<string> {
  const project = await findProjectByName(services.db, name);
  if (project === null) throw new WarrenError('NOT_FOUND', `there is no project "${name}"`, { path: 'project' });
  return project.id;
}

async function activeIds({ services, snapshots }: GraphqlContext, project: string | null): Promise<string[]> {
  return await snapshots.current().once(`active ${project ?? ''}`, async () => {
    const running = await listRuns(services, { project, filter: 'state = RUNNING', first: RUNNING_FIRST });
    const ended = await listRuns(services, {
      project,
      filter: 'ended is not null',
      orderBy: { by: 'ended', direction: 'DESC' },
      first: ENDED_FIRST,
    });
    return [...running.edges, ...ended.edges].map((edge) => edge.node.id);
  });
}
