import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { ListedRun } from './runColumns.ts';
import { readRunTable } from './runTable.ts';

export interface ListOptions {
  filter: string | undefined;
  project?: string;
  order: string;
  columns?: string;
  /** Columns of a saved view, over which `columns` goes. */
  viewColumns?: readonly string[] | undefined;
  limit: number;
  trash?: boolean;
  json?: boolean;
}

/** The body of `warren ls`. */
export async function listRuns(context: CommandContext, options: ListOptions): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const { runs, columns, hints, totalCount } = await readRunTable(api, { ...options, whole: options.json === true });
  if (options.json === true) terminal.print(JSON.stringify(runs.map(listedJson), null, 2));
  if (runs.length === 0) {
    if (options.filter === undefined) {
      if (options.json !== true) terminal.say('warren: there are no runs yet; `warren run` queues some');
      return;
    }
    terminal.say('warren: no run matches the filter');
    for (const hint of hints) terminal.say(hint);
  }
  if (runs.length === 0 || options.json === true) return;
  for (const hint of hints) terminal.say(`warren: --order: ${hint}`);
  const now = new Date();
  const lines = renderTable(
    columns,
    runs.map((run) => columns.map((column) => column.cell(run, { colours: terminal.colours, now }))),
    { width: terminal.width(), styleHeader: terminal.colours.bold },
  );
  terminal.print(lines.join('\n'));
  if (totalCount > runs.length)
    terminal.say(terminal.colours.dim(`${runs.length} of ${totalCount} runs; --limit shows more`));
}

function listedJson(run: ListedRun) {
  const { metrics, configuration, ...rest } = run;
  return {
    ...rest,
    project: run.project.name,
    kind: configuration.kind,
    dataset: configuration.datasetName,
    config: configuration.parameters,
    metrics: Object.fromEntries(metrics.map((metric) => [metric.name, metric.summary])),
  };
}
