import { WarrenError } from '#src/base/contracts/errors.ts';
import { FindViewsDocument, ListViewsDocument, type ListViewsQuery } from '#src/generated/api.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';

type SavedView = ListViewsQuery['views'][number];

/** What `warren ls` takes from a view where the command line does not say otherwise. */
export interface ViewOptions {
  project: string;
  filter: string | undefined;
  order: string;
  columns: string[] | undefined;
  groupBy: string | undefined;
  metric: string | undefined;
  value: string | undefined;
  baseline: string | undefined;
}

const METRIC = /^metric\."((?:[^"\\]|\\.)*)"$/;

/** The options of the view of this name, or number. @throws WarrenError NOT_FOUND, or CONFLICT where several projects have it. */
export async function viewOptions(
  context: CommandContext,
  { name, project }: { name: string; project: string | undefined },
): Promise<ViewOptions> {
  const api = await context.api();
  const { views: found } = await api.request(FindViewsDocument, { project: project ?? null, name });
  if (found.length === 0) {
    const { views } = await api.request(ListViewsDocument, { project: project ?? null });
    const names = views.map((view) => view.name);
    const hint = didYouMean(name, names) || ' `warren views` lists them.';
    throw new WarrenError('NOT_FOUND', `there is no view "${name}".${hint}`, { path: '--view' });
  }
  if (found.length > 1) {
    const projects = found.map((view) => printable(view.project.name)).join(', ');
    throw new WarrenError('CONFLICT', `several projects have a view "${name}": ${projects}; say which`, {
      path: '--project',
    });
  }
  return optionsOf(found[0]!);
}

/** A view in the words of the options of `warren ls`. */
export function optionsOf({ project, settings }: Pick<SavedView, 'project' | 'settings'>): ViewOptions {
  const columns = settings.columns?.map((column) => column.name);
  const metrics = columns?.flatMap((column) => metricName(column) ?? []) ?? [];
  const grouped = settings.groupBy.length > 0;
  const ordered = metricName(settings.orderBy);
  const by = ordered === null ? settings.orderBy : `metric.${ordered}`;
  // groups have no order by what runs alone have
  const order = grouped && (ordered === null || !metrics.includes(ordered)) ? 'number' : by;
  const descending = order === by ? settings.direction === 'DESC' : true;
  return {
    project: project.name,
    filter: settings.filter === '' ? undefined : settings.filter,
    order: descending ? `-${order}` : order,
    columns: columns === undefined ? undefined : ['number', ...columns],
    groupBy: grouped ? settings.groupBy.join(',') : undefined,
    metric: metrics.length > 0 ? metrics.join(',') : undefined,
    value: settings.values ?? undefined,
    baseline: settings.baseline ?? undefined,
  };
}

function metricName(column: string): string | null {
  const match = METRIC.exec(column);
  return match === null ? null : match[1]!.replace(/\\(.)/g, '$1');
}

/** The body of `warren views`. */
export async function listSavedViews(
  context: CommandContext,
  options: { project?: string; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const { views } = await api.request(ListViewsDocument, { project: options.project ?? null });
  if (options.json === true) {
    terminal.print(JSON.stringify(views, null, 2));
    return;
  }
  if (views.length === 0) {
    terminal.say('warren: there are no views; "Views" above the table of runs in the dashboard saves one');
    return;
  }
  const now = new Date();
  const rows = views.map(({ number, name, isDefault, project, settings, updatedAt }) => [
    ...[`#${number}`, printable(name), printable(project.name), isDefault ? 'yes' : ''],
    ...[printable(settings.filter), settings.groupBy.join(' '), formatAge(updatedAt, now)],
  ]);
  const columns = [
    { header: '#', align: 'right' as const },
    { header: 'NAME', minimum: 12 },
    { header: 'PROJECT', minimum: 8 },
    { header: 'DEFAULT' },
    { header: 'FILTER', minimum: 12 },
    { header: 'GROUPS', minimum: 8 },
    { header: 'SAVED' },
  ];
  const style = { width: terminal.width(), styleHeader: terminal.colours.bold };
  terminal.print(renderTable(columns, rows, style).join('\n'));
}
