import { unlikeDataText } from '#src/base/lib/differingData.ts';
import { metricTexts, verdictText, writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import { printable } from '#src/base/lib/printable.ts';
import { shortNumeralCells } from '#src/base/lib/shortNumerals.ts';
import { shownGroups, type ShownGroups } from '#src/base/lib/shownGroups.ts';
import { groupRules, ruledName, valuesText } from '#src/base/lib/valueRules.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { counted } from '#src/base/terminal/counted.ts';
import { renderTable, type TableColumn } from '#src/base/terminal/table.ts';
import { groupHints, type GroupQuestion, readGroups } from './groupsOfRuns.ts';

export interface GroupOptions extends GroupQuestion {
  format: 'table' | 'md' | 'latex' | 'csv' | 'json';
  json?: boolean;
}

const BEST = '*';

/** The body of `warren ls --group-by`. */
export async function listGroups(context: CommandContext, options: GroupOptions): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const found = await readGroups(api, options);
  const { answer, groups, metrics: names, unlikeData } = found;
  const format = options.json === true ? 'json' : options.format;
  if (format === 'json') {
    terminal.print(JSON.stringify({ ...answer, edges: undefined, unlikeData, groups }, null, 2));
    return;
  }
  const hints = await groupHints(api, options, found);
  if (groups.length === 0) {
    terminal.say('warren: no run matches');
    for (const hint of hints) terminal.say(hint);
    return;
  }
  for (const hint of hints) terminal.say(`warren: ${hint}`);
  const rules = answer.metrics.map(groupRules);
  const heads = names.map((name, index) => ruledName(name, rules[index] ?? []));
  const table = shownGroups(groups, answer.fields, heads);
  const unlike = unlikeDataText(unlikeData);
  if (unlike !== null) {
    terminal.say(
      `warren: not comparable, for the runs differ in their data: ${unlike}; the best is that of the same data`,
    );
  }
  if (format !== 'table') {
    terminal.print(writeGroupedTable(table, format).trimEnd());
    return;
  }
  terminal.print(tableLines(table, terminal).join('\n'));
  const shown = groups.length < answer.totalCount ? `; the first ${groups.length} are shown, --limit shows more` : '';
  const counts = `${counted(answer.totalCount, 'group')} of ${counted(answer.runCount, 'run')}`;
  const summary = `${counts}${shown}; ${valuesText(rules.flat())}, mean ± standard deviation (n), ${BEST} best`;
  terminal.say(terminal.colours.dim(summary));
}

function tableLines(table: ShownGroups, terminal: CommandContext['terminal']): string[] {
  const texts = table.metrics.map((_, metric) => metricTexts(table, metric));
  const verdicts = table.tested ? ['AGAINST BASELINE'] : [];
  const columns: TableColumn[] = [
    ...table.heads.map((header) => ({ header, minimum: 8 })),
    { header: 'RUNS', align: 'right' as const },
    ...table.metrics.flatMap((header): TableColumn[] => [
      { header, align: 'right' },
      ...verdicts.map((head) => ({ header: head })),
    ]),
  ];
  const cells = shortNumeralCells(table.rows.map((row) => row.cells));
  const rows = table.rows.map((row, index) => [
    ...cells[index]!.map(printable),
    String(row.runs),
    ...row.metrics.flatMap((one, metric) => {
      const text = `${texts[metric]![index]} (${one.n})`;
      const marked = one.isBest ? `${terminal.colours.green(text)} ${BEST}` : `${text}  `;
      return [marked, ...verdicts.map(() => verdictText(one) || '-')];
    }),
  ]);
  return renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.bold });
}
