import { type Command, Option } from 'commander';
import { addWhichRuns, filterOf, type WhichRuns } from '#src/base/terminal/arguments/whichRuns.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

interface ExportFlags extends WhichRuns {
  project?: string;
  format: 'jsonl' | 'csv';
  output?: string;
  mlflow?: string;
}

export function addExportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('export')
    .summary('write runs with all their points and texts, as JSON lines or CSV')
    .description(
      'Write runs with every point of their metrics and every text that they logged, streaming: one JSON object a run, or one CSV row a point or text.',
    );
  addWhichRuns(command, 'which runs, in the language of `warren ls`; all of them when left out')
    .option('--project <name>', 'only runs of this project')
    .addOption(new Option('--format <format>', 'jsonl or csv').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--output <file>', 'file to write; stdout when left out')
    .option('--mlflow <folder>', "a folder to write instead: a file store that MLflow opens, with the runs' files")
    .addHelpText(
      'after',
      "\nExamples:\n  warren export --output runs.jsonl\n  warren export --filter 'tag = final' --format csv > points.csv\n  warren export --project mine --mlflow mlruns",
    )
    .action(async ({ mlflow: folder, ...options }: ExportFlags) => {
      const selection = { ...options, filter: filterOf(options) };
      if (folder !== undefined) {
        const { exportToMlflow } = await import('./mlflowStore.ts');
        await exportToMlflow(context, { ...selection, folder });
        return;
      }
      const { exportRuns } = await import('./exportRuns.ts');
      await exportRuns(context, selection);
    });
}
