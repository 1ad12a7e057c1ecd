import { knownDataset } from '#src/catalog/datasets.ts';
import { GENERATED_EXAMPLES } from '#src/catalog/generatedDatasets.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { datasetsSchema, inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';
import { renderTable } from '#src/base/terminal/table.ts';

/** The body of `warren data ls`. */
export async function listDatasets(context: CommandContext, json: boolean): Promise<void> {
  const { terminal } = context;
  const folders = context.environment().dataFolders;
  const found = await inspectNumerics(context, ['datasets'], datasetsSchema);
  const rows = found.map((entry) => {
    const known = knownDataset(entry.name);
    const [title, home] = [known?.title ?? '', known?.home ?? null];
    return { ...entry, title, home, downloadable: (known?.downloads.length ?? 0) > 0 };
  });
  if (json) {
    terminal.print(JSON.stringify({ folders, datasets: rows, generated: GENERATED_EXAMPLES }, null, 2));
    return;
  }
  const { colours } = terminal;
  const absent = ({ name, home, downloadable }: (typeof rows)[number]): string =>
    downloadable ? `not here; warren data download ${name}` : `not here; by hand from ${home ?? '?'}`;
  const lines = renderTable(
    [{ header: 'DATASET' }, { header: 'TITLE', minimum: 12 }, { header: 'FILE', minimum: 16 }],
    rows.map((row) => [
      row.name,
      row.title,
      row.path === null
        ? colours.dim(absent(row))
        : row.format === 'unordered'
          ? `${row.path} (no time order: not for sequences)`
          : colours.green(row.path),
    ]),
    { width: terminal.width(), styleHeader: colours.bold },
  );
  terminal.print(lines.join('\n'));
  terminal.print(`\nGenerated, always there: ${GENERATED_EXAMPLES.join(', ')}`);
  terminal.print(`Searched: ${folders.join(', ')}`);
}
