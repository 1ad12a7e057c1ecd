import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  DeleteProjectDocument,
  EditProjectDocument,
  type EditProjectMutationVariables,
  MakeProjectDocument,
  ProjectListDocument,
  type ProjectListQuery,
  UndeleteProjectDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type ListedProject = ProjectListQuery['projects']['edges'][number]['node'];

/** All projects with what goes on in them, or those in the trash. */
export function useProjectList({ deleted }: { deleted: boolean }) {
  return useQuery({
    queryKey: ['projects', 'list', deleted],
    queryFn: async ({ signal }) => {
      const found: ListedProject[] = [];
      const since = new Date().toISOString();
      for (let after: string | null = null; ; ) {
        const page: ProjectListQuery['projects'] = (
          await request(ProjectListDocument, { after, deleted, since }, signal)
        ).projects;
        found.push(...page.edges.map(({ node }) => node));
        if (!page.pageInfo.hasNextPage) return found;
        after = page.pageInfo.endCursor;
      }
    },
  });
}

/** Makes a project. */
export function useMakeProject() {
  const onSettled = useRefresh();
  return useMutation({
    mutationFn: async (project: { name: string; description: string }) => await request(MakeProjectDocument, project),
    onSettled,
  });
}

/** Renames a project, or sets what it is about. */
export function useEditProject() {
  const onSettled = useRefresh();
  return useMutation({
    mutationFn: async (change: EditProjectMutationVariables) => await request(EditProjectDocument, change),
    onSettled,
  });
}

/** Moves a project to the trash with its runs, or takes it back. */
export function useMoveProject() {
  const onSettled = useRefresh();
  return useMutation({
    mutationFn: async ({ project, deleted }: { project: string; deleted: boolean }) =>
      deleted ? await request(DeleteProjectDocument, { project }) : await request(UndeleteProjectDocument, { project }),
    onSettled,
  });
}

/** Everything that names a project or counts runs is asked for again. Who changed it hears of it at once: its row may be gone then. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries();
  };
}
