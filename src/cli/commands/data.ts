import type { Command } from 'commander';
import type { CommandContext } from '../commandContext.ts';
import { parseColumnMap } from '../data/parseColumnMap.ts';
import type { ImportFlags } from '../data/importFiles.ts';

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
        const { countDatasets } = await import('../data/countDatasets.ts');
        await countDatasets(context, options.json === true);
        return;
      }
      const { listDatasets } = await import('../data/listDatasets.ts');
      await listDatasets(context, options.json === true);
    });
  data
    .command('show')
    .summary('count a dataset, beside the published numbers')
    .description('Read a dataset and print what it holds, beside the numbers that papers print for it.')
    .argument('<name>', 'a known dataset, a file in a data folder, or generated/…')
    .option('--lenient', 'skip lines that cannot be read, and say which')
    .option('--json', 'print JSON')
    .action(async (name: string, options: { json?: boolean; lenient?: boolean }) => {
      const { showDataset } = await import('../data/showDataset.ts');
      await showDataset(context, name, { json: options.json === true, lenient: options.lenient === true });
    });
  data
    .command('download')
    .summary('fetch a known dataset from its public home')
    .description(
      'Fetch a known dataset, check and read it, and put it into .warren/data. A download that broke off goes on where it was.',
    )
    .argument('<name>', 'a known dataset')
    .action(async (name: string) => {
      const { fetchDataset } = await import('../data/fetchDataset.ts');
      await fetchDataset(context, name);
    });
  data
    .command('import')
    .summary('register files of your own as a dataset')
    .description(
      'Read tables, JSON lines or sequences (user item item …), gzipped or plain, and keep them as the dataset NAME in .warren/data.',
    )
    .argument('<name>', 'the name to give it')
    .argument('<files...>', 'its files, read in this order')
    .option(
      '--map <columns>',
      'where the columns are: user=…,item=…,time=…,rating=… (names, or places from 1)',
      parseColumnMap,
    )
    .option('--items <file>', 'a table with an item id, a title and, where there are any, genres')
    .option('--lenient', 'skip lines that cannot be read, and say which')
    .option('--replace', 'replace an earlier import of that name')
    .action(async (name: string, files: string[], options: ImportFlags) => {
      const { importFiles } = await import('../data/importFiles.ts');
      await importFiles(context, { name, files, ...options });
    });
}
