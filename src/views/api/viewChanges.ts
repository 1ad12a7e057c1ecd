import { invariant } from '#src/base/lib/invariant.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { type ViewRecord, viewsOfProject } from '#src/views/savedViews.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';

export interface ViewChangesArguments {
  project: string;
}

/** The views of a project, at once and whenever one of them changes. @throws WarrenError NOT_FOUND. */
export async function viewChanges(
  { changes, services, snapshots, outlet, onRetry }: GraphqlContext,
  { project }: ViewChangesArguments,
): Promise<AsyncIterableIterator<ViewRecord[]>> {
  const projectId = await resolveProject(services, project);
  invariant(projectId !== null, 'a named project has an id');
  return changeStream<ViewRecord[]>({
    onRetry,
    outlet,
    listen: (wake) => changes.listen([{ type: 'views', projectId }], { onChange: wake, onGap: wake }),
    async read() {
      const read = () => viewsOfProject(services.db, projectId);
      return { items: [await snapshots.current().once(`views of ${projectId}`, read)], more: false };
    },
  });
}
