import { type Command, Option } from 'commander';
import { addedReaders } from '#src/catalog/modules/addedContent.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { FILE_READERS } from '#src/catalog/readers.ts';
import { assignmentsToObject, parseAssignment } from '#src/base/terminal/arguments/assignments.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { parseColumnMap } from './parseColumnMap.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { ImportFlags } from './importFiles.ts';

const NAMES: Readonly<Record<string, string>> = {
  tab: '\t',
  tabs: '\t',
  '\\t': '\t',
  comma: ',',
  semicolon: ';',
  space: ' ',
  blank: ' ',
  bar: '|',
  '\\x01': '\x01',
};

/** The separator of `--separator`: a text, or `tab`, `comma`, `semicolon`, `space`, `bar`. Throws BAD_INPUT for none, line ends and quotes. */
function parseSeparator(text: string): string {
  const separator = NAMES[text.toLowerCase()] ?? text;
  if (separator === '' || /[\r\n"]/.test(separator)) {
    throw badInput('expected a text that stands between columns, or tab, comma, semicolon, space, bar', '--separator');
  }
  return separator;
}

const EXAMPLES = `
Examples:
  warren data ls --counts
  WARREN_DATA=~/data warren data show amazon-beauty
  warren data show generated/markov-small
  warren data download ml-100k
  warren data import my-shop clicks.csv --map user=visitor,item=product,time=at`;

/** Every reader by name, those of modules among them. */
function readersHelp(): string {
  const readers = [...FILE_READERS, ...addedReaders()];
  const width = Math.max(...readers.map(({ name }) => name.length));
  return `\nReaders:\n${readers.map(({ name, words }) => `  ${name.padEnd(width)}  ${words}`).join('\n')}`;
}

const collect = (text: string, before: string[] = []) => [...before, text];

export function addDataCommand(program: Command, context: CommandContext): void {
  const data = program
    .command('data')
    .summary('list, show, download and import datasets')
    .description(
      'List, show, download and import datasets. Their files, gzipped or not, are looked for in the folders of WARREN_DATA, then in .warren/data.',
    )
    .addHelpText('after', EXAMPLES);
  data
    .command('ls')
    .summary('list known datasets and other readable files')
    .description('List the known datasets, whether they were found and where, and every other readable file.')
    .option('--counts', 'count every dataset that is here, beside the published numbers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean; counts?: boolean }) => {
      if (options.counts === true) {
        const { countDatasets } = await import('./countDatasets.ts');
        await countDatasets(context, options.json === true);
        return;
      }
      const { listDatasets } = await import('./listDatasets.ts');
      await listDatasets(context, options.json === true);
    });
  data
    .command('show')
    .summary('count a dataset, beside the published numbers')
    .description('Read a dataset and print what it holds, beside the numbers that papers print for it.')
    .argument('<name>', 'a known dataset, a file in a data folder, or generated/…')
    .option('--set <path=value>', 'prepare it first: core=5, duplicates=last, …; may be repeated', collect)
    .option('--lenient', 'skip lines that cannot be read, and say which')
    .option('--json', 'print JSON')
    .action(async (name: string, options: { json?: boolean; lenient?: boolean; set?: string[] }) => {
      const { showDataset } = await import('./showDataset.ts');
      const { dataset, ...others } = assignmentsToObject((options.set ?? []).map(parseAssignment));
      const preparation = { ...others, ...(isPlainObject(dataset) ? dataset : {}) };
      await showDataset(context, name, { json: options.json === true, lenient: options.lenient === true, preparation });
    });
  data
    .command('download')
    .summary('fetch a known dataset from its public home')
    .description(
      'Fetch a known dataset, check and read it, and put it into .warren/data. A download that broke off goes on where it was.',
    )
    .argument('<name>', 'a known dataset')
    .action(async (name: string) => {
      const { fetchDataset } = await import('./fetchDataset.ts');
      await fetchDataset(context, name);
    });
  data
    .command('import')
    .summary('register files of your own as a dataset')
    .description(
      'Read tables, JSON or sequences (user item item …), plain or out of gzip, bzip2, xz, zstd, zip, tar, Parquet or Arrow, and keep them as the dataset NAME in .warren/data. At the end it says what it understood.',
    )
    .argument('<name>', 'the name to give it')
    .argument('[files...]', 'its files, read in this order')
    .option('--train <file>', 'of a split that it comes with, the part to train on; for dataset.split=given')
    .option('--valid <file>', 'the part to validate on')
    .option('--test <file>', 'the part to test on, in which users may have no items')
    .option(
      '--map <columns>',
      'where the columns are: user=…,item=…,time=…,rating=… (names, or places from 1; none for no time or rating)',
      parseColumnMap,
    )
    .option('--format <reader>', 'how the files are read, by name (below); without it they are recognized')
    .option('--header', 'the first line of a table names its columns')
    .option('--no-header', 'the first line of a table is data')
    .option('--separator <text>', 'what stands between the columns of a table', parseSeparator)
    .option('--no-quotes', 'quotes in a table are part of its texts')
    .addOption(new Option('--time <rule>', 'read no time, or take the order of the lines').choices(['none', 'line']))
    .option('--time-format <form>', 'how times are written: s, ms, us, ns, month/day/year, or such as "%d.%m.%Y %H:%M"')
    .option('--where <condition>', "only rows that meet it, such as 'type = buy and price > 10'")
    .option('--encoding <name>', 'how bytes become text: latin1, windows-1252, gbk, …; UTF-8 without it')
    .option('--member <name>', 'the file that is meant, of an archive with several')
    .option('--items <file>', 'a table with an item id, a title and, where there are any, genres')
    .option('--lenient', 'skip lines that cannot be read, and say which')
    .option('--replace', 'replace an earlier import of that name')
    .option('--dry-run', 'say what would be understood, and keep nothing')
    .option('--json', 'print what was understood as JSON')
    .addHelpText('after', readersHelp)
    .action(async (name: string, files: string[], options: ImportFlags) => {
      const { importFiles } = await import('./importFiles.ts');
      await importFiles(context, { name, files, ...options });
    });
}
