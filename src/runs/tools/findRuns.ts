import { z } from 'zod';
import { createColours } from '#src/base/terminal/colours.ts';
import { RUN_COLUMNS } from '#src/runs/command/runColumns.ts';
import { readRunTable } from '#src/runs/command/runTable.ts';
import { projectInput } from '#src/base/tools/inputs.ts';
import { markdownTable, paragraphs } from '#src/base/tools/markdown.ts';
import { defineTool } from '#src/base/tools/tool.ts';

const MOST = 100;

/** Explains the language once: other tools that take a filter point here. */
const DESCRIPTION = `List runs that match a filter, newest first, as a table; start here.
Filter language: comparisons joined by and, or, not and parentheses, such as
  kind = sasrec and dataset = "amazon-beauty" and metric."test/ndcg@10" > 0.02
  state in (FAILED, CRASHED) and ended >= -2d
  config.optimizer.learningRate <= 1e-3 and not name ilike "%try%"
Operators: = != < <= > >= in, not in, like, ilike (% is any text). Texts with other characters than letters, digits, _ . / @ - are quoted.
Fields: number id name notes kind preset dataset project user sweep trial seed state tag priority attempt progress duration (seconds) worker error errorCode configuration (its hash) created started ended (times: 2026-11-21 or -2d, UTC), metric.NAME (last value), best.NAME min.NAME max.NAME, config.PATH (a parameter), config.dataset.PATH, text.NAME (logged), env.PATH.
States: WAITING QUEUED RUNNING SUCCEEDED FAILED CANCELLED PRUNED CRASHED.
A field, metric or parameter that no run has is answered with names that are near.`;

export const findRuns = defineTool({
  name: 'find_runs',
  title: 'Find runs',
  description: DESCRIPTION,
  effect: 'reads',
  input: z.strictObject({
    filter: z.string().optional().describe('All runs when left out'),
    project: projectInput,
    order: z
      .string()
      .default('-number')
      .describe(
        'A field of the language, such as created, duration, metric.test/ndcg@10; a minus first: greatest first',
      ),
    columns: z
      .array(z.string())
      .optional()
      .describe(
        'number state name kind dataset seed project user tags notes created started ended duration progress, names of metrics (test/ndcg@10), config.PATH, text.NAME; what tells the runs apart when left out',
      ),
    limit: z.number().int().min(1).max(MOST).default(20),
    after: z.string().optional().describe('Where an earlier answer ended, as it says'),
    trash: z.boolean().default(false).describe('The deleted runs instead'),
  }),
  async answer({ api }, { filter, columns, ...rest }) {
    const chosen = columns === undefined ? undefined : [...new Set(['number', ...columns])].join(',');
    const {
      runs,
      columns: shown,
      hints,
      totalCount,
      next,
    } = await readRunTable(api, { ...rest, filter, columns: chosen });
    const cell = { colours: createColours(false), now: new Date() };
    const table = markdownTable(
      shown.map(({ header }) => (isOwnColumn(header) ? header.toLowerCase() : header)),
      runs.map((run) => shown.map((column) => column.cell(run, cell))),
    );
    const more = next === null ? '' : `; call again with after "${next}" for the next`;
    const count = runs.length === 0 ? 'No run matches.' : `${runs.length} of ${totalCount} runs${more}.`;
    return {
      text: paragraphs(runs.length === 0 ? null : table, count, hints.join('\n')),
      data: {
        total: totalCount,
        next,
        runs: runs.map((run) => ({
          number: run.number,
          id: run.id,
          name: run.name,
          state: run.state,
          seed: run.seed,
          kind: run.configuration.kind,
          dataset: run.configuration.datasetName,
          project: run.project.name,
          tags: run.tags,
          createdAt: run.createdAt,
          metrics: Object.fromEntries(run.metrics.map(({ name, summary }) => [name, summary])),
          ...configurationCells(run, shown, cell),
        })),
      },
    };
  },
});

/** Whether a column is one that every run has, whose header is in capitals. */
function isOwnColumn(header: string): boolean {
  return header === header.toUpperCase() && RUN_COLUMNS.includes(header.toLowerCase());
}

type Shown = Awaited<ReturnType<typeof readRunTable>>;

/** The parameters among the columns, as they stand in the table. */
function configurationCells(
  run: Shown['runs'][number],
  columns: Shown['columns'],
  cell: Parameters<Shown['columns'][number]['cell']>[1],
): { columns?: Record<string, string> } {
  const others = columns.filter(({ metric, header }) => metric === undefined && !isOwnColumn(header));
  if (others.length === 0) return {};
  return { columns: Object.fromEntries(others.map((column) => [column.header, column.cell(run, cell)])) };
}
