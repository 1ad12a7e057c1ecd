import { resolve } from 'node:path';
import type { Command } from 'commander';
import { allDatasets, knownDataset } from '#src/catalog/datasets.ts';
import { GENERATED_EXAMPLES } from '#src/catalog/generatedDatasets.ts';
import { datasetReportSchema } from '#src/contracts/datasetReport.ts';
import { badInput } from '#src/contracts/errors.ts';
import { didYouMean } from '#src/lib/nearNames.ts';
import type { Environment } from '#src/platform/environment.ts';
import { makePrivateHome } from '#src/platform/privateHome.ts';
import { downloadDataset } from '#src/platform/downloads/downloadDataset.ts';
import type { CommandContext } from '../commandContext.ts';
import { countDatasets } from '../data/countDatasets.ts';
import { downloadProgress } from '../data/downloadProgress.ts';
import { type ColumnMap, parseColumnMap } from '../data/parseColumnMap.ts';
import { showDataset } from '../data/showDataset.ts';
import { datasetsSchema, importResultSchema, inspectNumerics } from '../inspectNumerics.ts';
import { renderTable } from '../terminal/table.ts';

const EXAMPLES = `
Examples:
  warren data ls --counts
  WARREN_DATA=~/data warren data show amazon-beauty
  warren data show generated/markov-small
  warren data download ml-100k
  warren data import my-shop clicks.csv --map user=visitor,item=product,time=at`;

export function addDataCommand(program: Command, context: CommandContext): void {
  const data = program
    .command('data')
    .summary('datasets: which are known, which are here, how to get more')
    .description('Datasets are searched in the folders of WARREN_DATA, then in .warren/data; files may be gzipped.')
    .addHelpText('after', EXAMPLES);
  data
    .command('ls')
    .summary('list known datasets and other readable files')
    .description('List the known datasets, whether they were found and where, and every other readable file.')
    .option('--counts', 'count every dataset that is here, beside the published numbers')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean; counts?: boolean }) =>
      (options.counts === true ? countDatasets : listDatasets)(context, options.json === true),
    );
  data
    .command('show')
    .summary('counts of a dataset beside the published ones')
    .description('Read a dataset and print what it holds, beside the numbers that papers print for it.')
    .argument('<name>', 'a known dataset, a file in a data folder, or generated/…')
    .option('--lenient', 'skip lines that cannot be read, and say which')
    .option('--json', 'print JSON')
    .action((name: string, options: { json?: boolean; lenient?: boolean }) =>
      showDataset(context, name, { json: options.json === true, lenient: options.lenient === true }),
    );
  data
    .command('download')
    .summary('fetch a known dataset from its public home')
    .description(
      'Fetch a known dataset, check and read it, and put it into .warren/data. A broken download is taken up again.',
    )
    .argument('<name>', 'a known dataset')
    .action((name: string) => download(context, name));
  data
    .command('import')
    .summary('register files of your own as a dataset')
    .description(
      'Read tables, JSON lines or sequences (user item item …), gzipped or plain, and keep them as the dataset NAME in .warren/data.',
    )
    .argument('<name>', 'what it shall be called')
    .argument('<files...>', 'its files, read in this order')
    .option(
      '--map <columns>',
      'where the columns are: user=…,item=…,time=…,rating=… (names, or places from 1)',
      parseColumnMap,
    )
    .option('--items <file>', 'a table with an item id, a title and, where there are any, genres')
    .option('--lenient', 'skip lines that cannot be read, and say which')
    .option('--replace', 'put it in the place of an import of that name')
    .action((name: string, files: string[], options: ImportFlags) => importFiles(context, { name, files, ...options }));
}

interface ImportFlags {
  map?: ColumnMap;
  items?: string;
  lenient?: boolean;
  replace?: boolean;
}

async function importFiles(
  { terminal, environment }: CommandContext,
  { name, files, map, items, lenient, replace }: ImportFlags & { name: string; files: string[] },
): Promise<void> {
  const request = {
    name,
    files: files.map((file) => resolve(file)),
    folder: ownFolder(environment()),
    mapping: map ?? {},
    lenient: lenient === true,
    replace: replace === true,
    items: items === undefined ? null : resolve(items),
  };
  const { path, interactions, skipped } = await inspectNumerics(
    ['import', JSON.stringify(request)],
    importResultSchema,
  );
  for (const { file, lines } of skipped) {
    terminal.say(`warren: ${file}: ${lines.count.toLocaleString('en')} lines skipped`);
    for (const { line, reason } of lines.first) terminal.say(`  ${file}:${line}: ${reason}`);
  }
  terminal.print(`${name}: ${interactions.toLocaleString('en')} interactions, kept in ${path}`);
  terminal.print(`Look at it with: warren data show ${name}`);
}

/** Warren's own folder, in a home that is there; it is searched last. */
function ownFolder({ home, dataFolders }: Environment): string {
  const own = dataFolders.at(-1);
  if (own === undefined) throw badInput('there is no data folder: set WARREN_HOME', 'WARREN_HOME');
  makePrivateHome(home);
  return own;
}

async function download({ terminal, environment }: CommandContext, name: string): Promise<void> {
  const dataset = knownDataset(name);
  if (dataset === undefined) {
    const names = allDatasets().map((known) => known.name);
    throw badInput(`"${name}" is not a known dataset.${didYouMean(name, names) || ' See: warren data ls'}`, 'name');
  }
  const progress = downloadProgress(terminal.error);
  const { paths, downloads } = await downloadDataset(dataset, {
    folder: ownFolder(environment()),
    onProgress: progress.update,
    onWait: () => terminal.say(`warren: another process is fetching ${dataset.name}; waiting for it`),
    async verify(folder) {
      progress.finish();
      await inspectNumerics(
        ['report', JSON.stringify({ name: dataset.name, lenient: false, folder })],
        datasetReportSchema,
      );
    },
  }).finally(progress.finish);
  for (const { url, sha256 } of downloads) terminal.print(`${url}\n  sha256 ${sha256}`);
  for (const path of paths) terminal.print(path);
  terminal.print(`Terms: ${dataset.licence}\nCite:  ${dataset.citation}`);
}

async function listDatasets({ terminal, environment }: CommandContext, json: boolean): Promise<void> {
  const folders = environment().dataFolders;
  const found = await inspectNumerics(['datasets'], datasetsSchema);
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
