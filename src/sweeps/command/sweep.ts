import { badInput } from '#src/base/contracts/errors.ts';
import { type Command, Option } from 'commander';
import { SWEEP_METHODS } from '#src/sweeps/search/proposeTrial.ts';
import { parseSeed, parseSeeds } from '#src/base/terminal/arguments/seeds.ts';
import { durationInSeconds, memoryOption, wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { PARAMETER_FORMS } from './parameterFlag.ts';
import type { CreateOptions, ExtendOptions } from './sweepCommands.ts';

const collect = (text: string, before: string[] = []) => [...before, text];
const MOST = 1_000_000;
const MOST_EPOCHS = 1_000_000_000;

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./sweepCommands.ts');

const EXAMPLES = `
FILE is a sweep file of W&B (YAML or JSON), with the kind of run to queue; docs/sweeps.md explains it.
Forms of --set: ${PARAMETER_FORMS}; anything else is a constant.

Examples:
  warren sweep create sweep.yaml --kind sasrec --dataset ml-100k
  warren sweep create --kind mf-bpr --dataset amazon-beauty --metric valid/ndcg@10 --trials 40 \\
    --set 'optimizer.learningRate=loguniform(1e-4,1e-1)' --set 'dimension=choice(32,64,128)'
  warren sweep create --metric valid/loss --trials 20 --set 'lr=loguniform(1e-4,1e-1)' -- python train.py --lr {lr}
  warren sweep show 3
  warren sweep confirm 3 --seeds 5 --wait`;

export function addSweepCommand(program: Command, context: CommandContext): void {
  const sweep = program
    .command('sweep')
    .summary('search for good parameters')
    .description('Draw trials from a search space, queue them, and find the best.')
    .addHelpText('after', EXAMPLES);
  addCreate(sweep, context);
  sweep
    .command('show')
    .description('Show a sweep and its trials, the best first.')
    .argument('<sweep>', 'number or id')
    .option('--limit <n>', 'trials at most', wholeNumber('--limit', 1, MOST), 20)
    .option('--json', 'print JSON, with all trials')
    .action(async (reference: string, options: { limit: number; json?: boolean }) =>
      (await bodies()).showCommand(context, reference, options),
    );
  sweep
    .command('ls')
    .description('List sweeps, newest first.')
    .option('--project <name>', 'only sweeps of this project')
    .option('--limit <n>', 'rows at most', wholeNumber('--limit', 1, 100), 50)
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; limit: number; json?: boolean }) =>
      (await bodies()).listCommand(context, options),
    );
  addActions(sweep, context);
  sweep
    .command('extend')
    .description('Give a sweep more to do; a finished one runs again.')
    .argument('<sweep>', 'number or id')
    .option('--trials <n>', 'trials to add', wholeNumber('--trials', 1, MOST))
    .option('--hours <n>', 'hours to add', wholeNumber('--hours', 1, 100_000))
    .option('--epochs <n>', 'epochs to add', wholeNumber('--epochs', 1, MOST_EPOCHS))
    .option('--concurrency <n>', 'trials under way at once', wholeNumber('--concurrency', 1, 1000))
    .option(
      '--until-nothing-better-in <n>',
      'end it after so many trials without a better one',
      wholeNumber('--until-nothing-better-in', 1, MOST),
    )
    .option('--set <path=form>', 'a parameter to add or to change; may be repeated', collect)
    .option('--key <words>', 'by which this call is known: repeated with the same, it adds nothing')
    .option('--json', 'print JSON')
    .action(async (reference: string, options: ExtendOptions) =>
      (await bodies()).extendCommand(context, reference, options),
    );
  sweep
    .command('confirm')
    .description('Queue the best trial on seeds that the sweep has not used, for a fair estimate of its score.')
    .argument('<sweep>', 'number or id')
    .option('--seeds <n>', 'how many fresh seeds', wholeNumber('--seeds', 1, 100), 5)
    .option('--trial <n>', 'another trial than the best', wholeNumber('--trial', 0, MOST))
    .option('--wait', 'show progress until the runs have ended, then their metrics')
    .option('--json', 'print JSON')
    .action(async (reference: string, options: { seeds: number; trial?: number; wait?: boolean; json?: boolean }) =>
      (await bodies()).confirmCommand(context, reference, options),
    );
}

function addCreate(sweep: Command, context: CommandContext): void {
  sweep
    .command('create')
    .description('Start a sweep from a file, from options, or from both: options override the file.')
    .usage('[file] [options]\n       warren sweep create [file] [options] -- <command…>')
    .argument('[file]', 'sweep file, YAML or JSON')
    .argument('[command...]', 'after --: program and arguments of each trial; {name} is the value drawn for name')
    .option('--kind <kind>', 'what to run')
    .option('--dataset <name>', 'dataset of the runs')
    .option('--preset <name>', 'preset; drawn parameters override it')
    .option(
      '--set <path=form>',
      'a parameter: loguniform(1e-4,1e-2), choice(1,2), a constant …; may be repeated',
      collect,
    )
    .addOption(
      new Option('--method <name>', 'sampler (default: tpe with a metric, else random)').choices(SWEEP_METHODS),
    )
    .option('--metric <name>', 'objective, such as valid/ndcg@10')
    .addOption(new Option('--goal <goal>', 'default: what the metric is known for').choices(['minimize', 'maximize']))
    .option('--trials <n>', 'trials in all', wholeNumber('--trials', 1, MOST))
    .option(
      '--epochs <n>',
      'draw no more trials after so many epochs of all runs together',
      wholeNumber('--epochs', 1, MOST_EPOCHS),
    )
    .option('--hours <n>', 'draw no more trials after so many hours', wholeNumber('--hours', 1, 100_000))
    .option(
      '--until-nothing-better-in <n>',
      'end it after so many trials without a better one',
      wholeNumber('--until-nothing-better-in', 1, MOST),
    )
    .option('--seeds <list>', 'one run per seed in each trial; the objective is their mean: 1-3 or 1,2,7', parseSeeds)
    .option('--seed <n>', 'seed of the sampler (default 1)', parseSeed)
    .option('--concurrency <n>', 'trials under way at once (default 4)', wholeNumber('--concurrency', 1, 1000))
    .option('--allow-test-objective', 'allow a test metric as the objective')
    .option('--project <name>', 'project of the runs (default "default")')
    .option('--name <name>', 'name of the sweep')
    .option('--gpus <n>', 'for a command: GPUs for each run, not shared (default 0)', wholeNumber('--gpus', 0, 64))
    .option('--memory <amount>', 'for a command: memory kept free for each run, such as 8G', memoryOption('--memory'))
    .option('--cores <n>', 'for a command: cores kept free for each run', wholeNumber('--cores', 1, 4096))
    .option('--label <label>', 'for a command: a label that its worker must have; may be repeated', collect)
    .option('--time <span>', 'for a command: longest time of an attempt, such as 2h', durationInSeconds('--time'))
    .option(
      '--input <name=source>',
      'for a command: a file that it finds, RUN:ARTIFACT or a registered version NAME@ALIAS; may be repeated',
      collect,
    )
    .option(
      '--environment <how>',
      'for a command: auto installs uv.lock, requirements.txt or pyproject.toml (default none)',
    )
    .option('--no-code', 'for a command: start it in an empty folder')
    .option('--with-secret-files', 'for a command: also send files that look like keys or passwords, such as .env')
    .option(
      '--key <words>',
      'by which this call is known: repeated with the same, it answers what it made, and makes nothing',
    )
    .option('--wait', 'follow it to its end; exit code 1 unless it finished')
    .option('--json', 'print JSON')
    .action(async (...[, , options, create]: [string | undefined, string[], CreateOptions, Command]) => {
      const { splitCommand } = await import('#src/programs/command/commandRequest.ts');
      const { kinds: files, command } = splitCommand(context.words, create.args);
      if (files.length > 1) throw badInput(`"${files[1]}" is one argument too many; a command comes after --`);
      const { createCommand } = await bodies();
      await createCommand(context, { file: files[0], command }, options);
    });
}

function addActions(sweep: Command, context: CommandContext): void {
  const actions = [
    ['pause', 'pauseSweep', 'Draw no more trials until it is resumed; runs under way go on.'],
    ['resume', 'resumeSweep', 'Go on with a paused sweep.'],
    ['cancel', 'cancelSweep', 'End a sweep and cancel those of its runs that have not ended.'],
  ] as const;
  for (const [name, action, description] of actions) {
    sweep
      .command(name)
      .description(description)
      .argument('<sweep>', 'number or id')
      .option('--json', 'print JSON')
      .action(async (reference: string, { json = false }: { json?: boolean }) =>
        (await bodies()).actCommand(context, action, { reference, json }),
      );
  }
}
