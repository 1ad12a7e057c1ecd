import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { type ImportColumns, parseImportColumns } from '../columnMap.ts';
import type { importRuns } from '../importRuns.ts';
import type { MlflowOptions } from '../mlflowArtifacts.ts';

const EXAMPLES = `
Examples:
  warren import tensorboard runs/ --project mine
  warren import tensorboard runs/ --project mine --follow
  warren import mlflow mlruns/ --project mine
  warren import mlflow http://mlflow.example:5000 --project mine --experiment digits
  warren import wandb wandb/ --project mine
  warren import csv progress.csv --project mine --map step=epoch,parameter=lr

The second import of a source adds what is new, and nothing else. For datasets use \`warren data import\`.`;

const MAP = 'what columns are: run=…,step=…,time=…,metric=…,value=…,parameter=…,ignore=… (names as in the source)';

interface CommonFlags {
  project: string;
  json?: boolean;
}
interface MapFlags extends CommonFlags {
  map?: ImportColumns;
}

/** `warren import FORMAT SOURCE`: each format's reader is loaded only when it is asked for. */
export function addImportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .summary('import runs that other trackers logged')
    .description(
      'Import runs from files, databases and servers of other trackers, with their points, times and parameters.',
    )
    .addHelpText('after', EXAMPLES);

  const format = (name: string, summary: string, source: string) =>
    command
      .command(name)
      .summary(summary)
      .description(`Import ${summary}.`)
      .argument('<source>', source)
      .requiredOption('--project <name>', 'project of the imported runs; it is made if there is none')
      .option('--json', 'print what was imported as JSON');

  const bring = async (
    source: string,
    flags: CommonFlags,
    list: Parameters<typeof importRuns>[1],
    follow = false,
  ): Promise<void> => {
    const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(source);
    if (!follow && !isAddress && !existsSync(source)) throw badInput(`${source}: there is no such file or folder`);
    const bodies = await import('../importRuns.ts');
    await bodies.importRuns(context, list, { project: flags.project, source, follow, json: flags.json === true });
  };
  const mapped = ({ project, map }: MapFlags) => ({ project, map: map ?? { parameter: [], ignore: [] } });

  format(
    'tensorboard',
    'event files of TensorBoard: scalars, histograms, images, texts, hyperparameters',
    'a folder; each folder in it with event files is a run',
  )
    .option('--follow', 'go on while the files grow, until Ctrl-C')
    .action(async (source: string, flags: CommonFlags & { follow?: boolean }) => {
      const { tensorboardRuns } = await import('../tensorboard.ts');
      const options = { project: flags.project, known: new Map() };
      await bring(source, flags, () => tensorboardRuns(source, options), flags.follow === true);
    });
  format('csv', 'a table: a row a step with a column a metric, or a row a point', 'a file with names in its first line')
    .option('--map <columns>', MAP, parseImportColumns)
    .action(async (source: string, flags: MapFlags) => {
      const { csvRuns } = await import('../csv.ts');
      await bring(source, flags, () => csvRuns(source, mapped(flags)));
    });
  format('jsonl', 'JSON lines: an object a step, or a point', 'a file of JSON objects')
    .option('--map <members>', MAP, parseImportColumns)
    .action(async (source: string, flags: MapFlags) => {
      const { jsonLineRuns } = await import('../jsonLines.ts');
      await bring(source, flags, () => jsonLineRuns(source, mapped(flags)));
    });
  format('mlflow', 'what MLflow keeps', 'a folder mlruns, a SQLite database, or the address of a server')
    .option('--experiment <name>', 'only runs of this experiment')
    .option(
      '--artifacts <folder>',
      'where files of runs may lie; unless given, where MLflow puts them beside the source',
    )
    .option('--deleted', 'also runs that MLflow has deleted, with a tag that says so')
    .action(
      async (source: string, flags: CommonFlags & Pick<MlflowOptions, 'experiment' | 'artifacts' | 'deleted'>) => {
        const { mlflowRuns } = await import('../mlflow.ts');
        await bring(source, flags, (onLeftOut) => mlflowRuns(source, { ...flags, onLeftOut }));
      },
    );
  format(
    'wandb',
    'offline runs of Weights & Biases',
    'a folder wandb, one of a run in it, or an exported CSV or JSON file',
  )
    .option('--map <columns>', `of an exported file, ${MAP}`, parseImportColumns)
    .action(async (source: string, flags: MapFlags) => {
      const { wandbRuns } = await import('../wandb.ts');
      await bring(source, flags, () => wandbRuns(source, mapped(flags)));
    });
  format('trackio', 'what Trackio keeps', 'a database of a project (.db), or the folder of all').action(
    async (source: string, flags: CommonFlags) => {
      const { trackioRuns } = await import('../trackio.ts');
      await bring(source, flags, () => trackioRuns(source, flags));
    },
  );
  format(
    'neptune',
    'runs that neptune-exporter wrote as Parquet',
    'a .parquet file, or a folder with such files',
  ).action(async (source: string, flags: CommonFlags) => {
    const { neptuneRuns } = await import('../neptune.ts');
    await bring(source, flags, () => neptuneRuns(source, flags));
  });
  format(
    'recbole',
    'logs and checkpoints of RecBole: configuration, losses, validation, test',
    'a .log or .pth file, or a folder with some',
  ).action(async (source: string, flags: CommonFlags) => {
    const { recboleRuns } = await import('../recbole.ts');
    await bring(source, flags, () => recboleRuns(source, flags));
  });
}
