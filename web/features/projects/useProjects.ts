import { useQuery } from '@tanstack/react-query';
import { ProjectsDocument, type ProjectsQuery, RunColumnsDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type Project = ProjectsQuery['projects']['edges'][number]['node'];

/** All projects, by name. */
export function useProjects() {
  return useQuery({
    queryKey: ['projects'],
    queryFn: async ({ signal }) => {
      const projects: Project[] = [];
      for (let after: string | null = null; ; ) {
        const page: ProjectsQuery['projects'] = (await request(ProjectsDocument, { after }, signal)).projects;
        projects.push(...page.edges.map((edge) => edge.node));
        if (!page.pageInfo.hasNextPage) return projects;
        after = page.pageInfo.endCursor;
      }
    },
    staleTime: 15_000,
  });
}

/** Metrics, configuration fields and tags that runs of a project have. */
export function useRunColumns(project: string | null) {
  return useQuery({
    queryKey: ['runColumns', project],
    queryFn: async ({ signal }) => (await request(RunColumnsDocument, { project }, signal)).runColumns,
    staleTime: 10_000,
  });
}
