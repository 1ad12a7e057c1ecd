import type { Command } from 'commander';
import { allKinds } from '#src/catalog/kinds.ts';
import { moduleReports } from '#src/platform/kindModules/loadedModules.ts';
import type { CommandContext } from '../commandContext.ts';
import { renderTable } from '../terminal/table.ts';

const EXAMPLES = `
Examples:
  warren kinds
  WARREN_KINDS=./my-kinds warren kinds --json
  warren run sasrec --help-kind                 the parameters and presets of a kind`;

export function addKindsCommand(program: Command, context: CommandContext): void {
  program
    .command('kinds')
    .summary('list what can be run')
    .description('List the kinds of runs: Warren’s own, and those that the modules of WARREN_KINDS add.')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: { json?: boolean }) => listKinds(context, options.json === true));
}

function listKinds({ terminal }: CommandContext, json: boolean): void {
  const modules = moduleReports();
  const listed = allKinds().map(({ kind, version, title, description, data, presets, primaryMetric }) => ({
    ...{ kind, version, title, description, data, primaryMetric },
    presets: presets.map(({ name }) => name),
    /** Null for Warren's own. */
    module: modules.find(({ kinds }) => kinds.includes(kind))?.module ?? null,
  }));
  if (json) {
    terminal.print(JSON.stringify(listed, null, 2));
    return;
  }
  const rows = listed.map(({ kind, title, data, presets, module }) => [
    kind,
    title,
    data,
    String(presets.length),
    ...(modules.length > 0 ? [module ?? ''] : []),
  ]);
  const headers = [
    { header: 'KIND' },
    { header: 'TITLE', minimum: 12 },
    { header: 'DATA' },
    { header: 'PRESETS' },
    ...(modules.length > 0 ? [{ header: 'MODULE', minimum: 12 }] : []),
  ];
  const options = { width: terminal.width(), styleHeader: terminal.colours.bold };
  terminal.print(renderTable(headers, rows, options).join('\n'));
}
