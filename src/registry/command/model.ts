import { type Command, Option } from 'commander';
import { REGISTRY_TYPES } from '#src/base/contracts/registry.ts';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { DescribeOptions, ListOptions, RegisterOptions } from './registryCommands.ts';

const collect = (text: string, before: string[] = []) => [...before, text];

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./registryCommands.ts');

const EXAMPLES = `
A version is NAME:3, NAME@production (an alias) or NAME:latest.

Examples:
  warren model register ranker 12:checkpoint/best.npz --alias staging
  warren model register beauty-2014 31:data --type dataset
  warren model ls
  warren model show ranker@staging
  warren model alias ranker:3 production
  warren run --input model.npz=ranker@production -- python evaluate.py`;

export function addModelCommand(program: Command, context: CommandContext): void {
  const model = program
    .command('model')
    .alias('registry')
    .summary('register models and datasets by name, version and alias')
    .description(
      'Register models and datasets by name: versions are made from artifacts of runs, and aliases point to them.',
    )
    .addHelpText('after', EXAMPLES);
  model
    .command('ls')
    .description('List models and datasets, by name.')
    .argument('[text]', 'only names that have this text')
    .addOption(new Option('--type <type>', 'only these').choices(REGISTRY_TYPES))
    .option('--tag <key=value>', 'only those with this tag; may be repeated', collect)
    .option('--limit <n>', 'rows at most', wholeNumber('--limit', 1, 10_000), 50)
    .option('--json', 'print JSON')
    .action(async (text: string | undefined, options: ListOptions) =>
      (await bodies()).listCommand(context, text, options),
    );
  model
    .command('show')
    .description('Show a model or dataset with its versions, or one version with its files.')
    .argument('<name>', 'NAME, or a version: NAME:3, NAME@ALIAS, NAME:latest')
    .option('--limit <n>', 'versions at most, the newest first', wholeNumber('--limit', 1, 500), 20)
    .option('--json', 'print JSON')
    .action(async (name: string, options: { limit: number; json?: boolean }) =>
      (await bodies()).showCommand(context, name, options),
    );
  model
    .command('register')
    .description('Register an artifact of a run as the next version of a name, which may be new.')
    .argument('<name>', 'name of the model or dataset')
    .argument(
      '<run:artifact>',
      'number or id of the run, and an artifact of it or a folder; without :artifact its only one',
    )
    .addOption(new Option('--type <type>', 'what it is, where it is new (default "model")').choices(REGISTRY_TYPES))
    .option('--alias <alias>', 'alias that points to it from now on; may be repeated', collect)
    .option('--tag <key=value>', 'tag of the version; may be repeated', collect)
    .option('--description <text>', 'what the version is')
    .option('--json', 'print JSON')
    .action(async (name: string, source: string, options: RegisterOptions) =>
      (await bodies()).registerCommand(context, { name, source }, options),
    );
  model
    .command('alias')
    .description('Move an alias to a version, or with --remove delete the alias.')
    .argument('<version>', 'NAME:3 or NAME@OTHER; with --remove NAME is enough')
    .argument('<alias>', 'such as production')
    .option('--remove', 'take the alias away')
    .option('--json', 'print JSON')
    .action(async (version: string, alias: string, options: { remove?: boolean; json?: boolean }) =>
      (await bodies()).aliasCommand(context, { version, alias }, options),
    );
  model
    .command('describe')
    .description('Change description or tags of a model, dataset or version, or rename it.')
    .argument('<name>', 'NAME, or a version: NAME:3, NAME@ALIAS')
    .option('--description <text>', 'what it is')
    .option('--tag <key=value>', 'tag to set; may be repeated', collect)
    .option('--untag <key>', 'tag to remove; may be repeated', collect)
    .option('--rename <name>', 'its name from now on')
    .option('--json', 'print JSON')
    .action(async (name: string, options: DescribeOptions) => (await bodies()).describeCommand(context, name, options));
  model
    .command('delete')
    .description('Delete a version, or with --all a model or dataset with all its versions. The runs stay.')
    .argument('<version>', 'NAME:3 or NAME@ALIAS; with --all NAME')
    .option('--all', 'all versions and the name itself')
    .action(async (version: string, options: { all?: boolean }) =>
      (await bodies()).deleteCommand(context, version, options),
    );
}
