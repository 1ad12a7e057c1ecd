import {
  CreateProjectDocument,
  DeleteProjectDocument,
  EditProjectDocument,
  ListProjectsDocument,
  type ListProjectsQuery,
  UndeleteProjectDocument,
} from '#src/generated/api.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { counted } from '#src/base/terminal/counted.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';

const PAGE = 200;

type Listed = ListProjectsQuery['projects']['edges'][number]['node'];

/** The body of `warren project ls`. */
export async function listProjects(
  context: CommandContext,
  { deleted, json }: { deleted: boolean; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const found: Listed[] = [];
  const since = new Date().toISOString();
  for (let after: string | null = null, more = true; more; ) {
    const { projects }: ListProjectsQuery = await api.request(ListProjectsDocument, {
      first: PAGE,
      after,
      deleted,
      since,
    });
    found.push(...projects.edges.map(({ node }) => node));
    after = projects.pageInfo.endCursor;
    more = projects.pageInfo.hasNextPage;
  }
  if (json) return terminal.print(JSON.stringify(found, null, 2));
  if (found.length === 0) return terminal.say(`warren: no project is ${deleted ? 'in the trash' : 'there yet'}`);
  const now = new Date();
  const rows = found.map(({ name, description, runCount, activity, createdAt, deletedAt }) => [
    printable(name),
    ...(deleted ? [] : [String(runCount)]),
    formatAge(deletedAt ?? activity?.lastActiveAt ?? createdAt, now),
    printable(description.split('\n')[0] ?? ''),
  ]);
  const columns = [
    { header: 'project', minimum: 8 },
    ...(deleted ? [] : [{ header: 'runs', align: 'right' as const }]),
    { header: deleted ? 'deleted' : 'active' },
    { header: 'description', minimum: 12 },
  ];
  for (const line of renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.dim })) {
    terminal.print(line);
  }
}

/** The body of `warren project create`. */
export async function createProject(
  context: CommandContext,
  { name, description, json }: { name: string; description: string; json: boolean },
): Promise<void> {
  const { createProject: made } = await (await context.api()).request(CreateProjectDocument, { name, description });
  context.terminal.print(json ? JSON.stringify(made, null, 2) : `${printable(made.name)} is made`);
}

/** The body of `warren project edit`. */
export async function editProject(
  context: CommandContext,
  change: { project: string; name: string | null; description: string | null; json: boolean },
): Promise<void> {
  const { project, name, description, json } = change;
  const api = await context.api();
  const { editProject: edited } = await api.request(EditProjectDocument, { project, name, description });
  if (json) return context.terminal.print(JSON.stringify(edited, null, 2));
  const renamed = name === null ? '' : `${printable(project)} is called `;
  context.terminal.print(
    `${renamed}${printable(edited.name)}${description === null ? '' : ': its description is saved'}`,
  );
}

/** The body of `warren project delete` and `warren project undelete`. */
export async function moveProject(
  context: CommandContext,
  { project, deleted, json }: { project: string; deleted: boolean; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  if (deleted) {
    const { deleteProject } = await api.request(DeleteProjectDocument, { project });
    if (json) return terminal.print(JSON.stringify(deleteProject, null, 2));
    terminal.print(`${printable(project)} is in the trash with its runs; \`warren project undelete\` takes it back`);
    return;
  }
  const { undeleteProject } = await api.request(UndeleteProjectDocument, { project });
  if (json) return terminal.print(JSON.stringify(undeleteProject, null, 2));
  terminal.print(`${printable(project)} is back, with ${counted(undeleteProject.runCount, 'run')}`);
}
