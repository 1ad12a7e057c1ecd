import type { Command } from 'commander';
import { DATASETS, knownDataset } from '../../catalog/datasets.ts';
import { GENERATED_EXAMPLES } from '../../catalog/generatedDatasets.ts';
import type { CommandContext } from '../commandContext.ts';
import { type DatasetCounts, datasetCountsSchema, datasetsSchema, inspectNumerics } from '../inspectNumerics.ts';
import { renderTable } from '../terminal/table.ts';

export function addDataCommand(program: Command, context: CommandContext): void {
  const data = program
    .command('data')
    .summary('datasets: which are known, which are here')
    .description('Datasets are searched in the folders of WARREN_DATA, then in .warren/data; files may be gzipped.')
    .addHelpText(
      'after',
      '\nExamples:\n  warren data ls\n  WARREN_DATA=~/data warren data show amazon-beauty\n  warren data show generated/markov-small',
    );
  data
    .command('ls')
    .summary('list known datasets and other readable files')
    .description('List the known datasets, whether they were found and where, and every other readable file.')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listDatasets(context, options.json === true));
  data
    .command('show')
    .summary('counts of a dataset beside the published ones')
    .description('Read a dataset and print what it holds, beside the numbers that papers print for it.')
    .argument('<name>', 'a known dataset, a file in a data folder, or generated/…')
    .option('--json', 'print JSON')
    .action((name: string, options: { json?: boolean }) => showDataset(context, name, options.json === true));
}

async function listDatasets({ terminal, environment }: CommandContext, json: boolean): Promise<void> {
  const folders = environment().dataFolders;
  const found = await inspectNumerics(['datasets'], datasetsSchema);
  const rows = found.map((entry) => ({
    ...entry,
    title: knownDataset(entry.name)?.title ?? '',
    home: knownDataset(entry.name)?.home ?? null,
  }));
  if (json) {
    terminal.print(JSON.stringify({ folders, datasets: rows, generated: GENERATED_EXAMPLES }, null, 2));
    return;
  }
  const { colours } = terminal;
  const lines = renderTable(
    [{ header: 'DATASET' }, { header: 'TITLE', minimum: 12 }, { header: 'FILE', minimum: 16 }],
    rows.map((row) => [
      row.name,
      row.title,
      row.path === null
        ? colours.dim(`not found; from ${row.home ?? '?'}`)
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

async function showDataset({ terminal }: CommandContext, name: string, json: boolean): Promise<void> {
  const counts = await inspectNumerics(['dataset', name], datasetCountsSchema);
  const known = knownDataset(name) ?? DATASETS.find((dataset) => dataset.name === name);
  if (json) {
    terminal.print(JSON.stringify({ ...counts, published: known?.published ?? [] }, null, 2));
    return;
  }
  const { colours } = terminal;
  terminal.print(colours.bold(known === undefined ? name : `${known.title} (${known.name})`));
  if (known !== undefined)
    terminal.print(
      `${known.description}\n\nHome      ${known.home}\nLicence   ${known.licence}\nCite      ${known.citation}`,
    );
  terminal.print(`File      ${counts.path ?? 'generated'}`);
  terminal.print(`Content   ${counts.fingerprint}`);
  terminal.print(
    `Sequences ${counts.shortest} to ${counts.longest} interactions a user, median ${counts.median}; density ${(counts.density * 100).toFixed(3)} %`,
  );
  for (const note of counts.notes) terminal.say(`warren: ${note}`);
  const published = known?.published ?? [];
  const row = (label: string, pick: (of: { users: number; items: number; interactions: number }) => number) => [
    label,
    pick(counts).toLocaleString('en'),
    ...published.map((source) => beside(pick(counts), pick(source))),
  ];
  const columns = [
    { header: '' },
    { header: 'counted', align: 'right' as const },
    ...published.map(({ source }) => ({ header: source, align: 'right' as const })),
  ];
  const rows = [
    row('users', (of) => of.users),
    row('items', (of) => of.items),
    row('interactions', (of) => of.interactions),
  ];
  terminal.print(`\n${renderTable(columns, rows, { styleHeader: colours.bold }).join('\n')}`);
  if (published.some((source) => differs(counts, source)))
    terminal.print(colours.dim('\n≠ differs from what was counted here'));
}

function beside(counted: number, published: number): string {
  return `${published === counted ? '' : '≠ '}${published.toLocaleString('en')}`;
}

function differs(counted: DatasetCounts, published: { users: number; items: number; interactions: number }): boolean {
  return (
    counted.users !== published.users ||
    counted.items !== published.items ||
    counted.interactions !== published.interactions
  );
}
