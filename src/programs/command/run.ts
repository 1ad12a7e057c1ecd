import type { Command } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import { durationInSeconds, memoryOption, wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import { parsePriority } from '#src/base/terminal/arguments/priority.ts';
import { parseSeed, parseSeeds } from '#src/base/terminal/arguments/seeds.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { CommandFlags } from './commandRequest.ts';

const collect = (text: string, before: string[] = []) => [...before, text];

const EXAMPLES = `
\`warren kinds\` lists the kinds. \`warren run KIND --help-kind\` lists the parameters of a kind, with their defaults, and its presets.

Examples:
  warren run overrec --dataset amazon-beauty --wait
  warren run mf-bpr --dataset amazon-beauty --seeds 1-5 --set dimension=128 --set learningRate=0.02
  warren run markov --preset baselines/markov-beauty --tag baseline
  warren run overrec --dataset amazon-beauty --set dataset.maximumUsers=2000 --local --json
  warren run --name "my training" --seeds 1-3 --gpus 1 --set lr=0.1 -- python train.py --lr {lr} --seed {seed}`;

export function addRunCommand(program: Command, context: CommandContext): void {
  program
    .command('run')
    .summary('queue an experiment or a command, or execute it here')
    .description(
      'Queue an experiment, one run per seed; with --local execute it at once, without any services. After -- give a command of your own: a worker that was started with --allow-commands executes it, with all files that Git does not ignore.',
    )
    .usage('[options] <kind>\n       warren run [options] -- <command…>')
    .argument('[kind]', 'what to run')
    .argument('[command...]', 'after --: program and arguments; {name} is the value of --set name=…, {seed} the seed')
    .option('--dataset <name>', 'dataset; its preprocessing with --set dataset.core=5 and so on')
    .option('--preset <name>', 'a named choice of parameters; --set overrides it')
    .option('--set <path=value>', 'set a parameter, JSON or bare text; may be repeated', collect)
    .option('--seed <n>', 'one seed (default 1)', parseSeed)
    .option('--seeds <list>', 'one run per seed: 1-5 or 1,2,7', parseSeeds)
    .option('--project <name>', 'project of the runs (default "default")')
    .option('--tag <tag>', 'tag of the runs; may be repeated', collect)
    .option('--name <name>', 'name of the runs (default: the kind, with what was set)')
    .option('--priority <p>', 'high, normal, low, or 1 (taken first) to 2097151 (default normal: 1000)', parsePriority)
    .option('--max-attempts <n>', 'tries when workers are lost (default 5)', wholeNumber('--max-attempts', 1, 100))
    .option(
      '--input <name=run:artifact>',
      "another run's artifact that it needs, or a registered version (model=NAME@ALIAS, data=NAME:3), which a command finds as a file of that name; with --local a file (name=file); may be repeated",
      collect,
    )
    .option('--gpus <n>', 'for a command: GPUs for each run, not shared (default 0)', wholeNumber('--gpus', 0, 64))
    .option(
      '--memory <amount>',
      'for a command: memory kept free for it, such as 8G; more ends it',
      memoryOption('--memory'),
    )
    .option('--cores <n>', 'for a command: cores kept free for it', wholeNumber('--cores', 1, 4096))
    .option('--label <label>', 'for a command: a label that its worker must have; may be repeated', collect)
    .option(
      '--release-after <span>',
      'for a command: nobody else gets the run for so long after its worker was heard last, such as 1h (default 10m)',
      durationInSeconds('--release-after'),
    )
    .option('--time <span>', 'for a command: longest time of an attempt, such as 2h', durationInSeconds('--time'))
    .option(
      '--environment <how>',
      'for a command: auto installs uv.lock, requirements.txt or pyproject.toml (default none)',
    )
    .option('--container <image>', 'for a command: run it in a container of this image, with podman or docker')
    .option('--no-code', 'for a command: start it in an empty folder')
    .option('--with-secret-files', 'for a command: also send files that look like keys or passwords, such as .env')
    .option(
      '--key <words>',
      'by which this call is known: repeated with the same, it answers what it made, and makes nothing',
    )
    .option('--wait', 'show progress until the runs have ended; exit code 1 when one has failed')
    .option('--local', 'execute here and now, without database, queue or API')
    .option('--json', 'print the result as JSON, and nothing else, on stdout')
    .option('--help-kind', 'print the parameters and presets of the kind')
    .addHelpText('after', EXAMPLES)
    .action(async (...[, , flags, run]: [string, string[], CommandFlags & { helpKind?: boolean }, Command]) => {
      const { parseCommandRequest, refuseCommandFlags, splitCommand } = await import('./commandRequest.ts');
      const { kinds, command } = splitCommand(context.words, run.args);
      const [kind] = kinds;
      if (kinds.length > 1) throw badInput(`"${kinds[1]}" is one argument too many; a command comes after --`);
      if (command.length > 0) {
        if (kind !== undefined) throw badInput(`give a kind ("${kind}"), or a command after --, not both`);
        const request = parseCommandRequest(command, flags);
        const { queueCommand } = await import('./queueCommand.ts');
        await queueCommand(context, request);
        return;
      }
      if (kind === undefined) throw badInput('give a kind, such as `warren run overrec`, or a command after --');
      refuseCommandFlags(flags);
      if (flags.helpKind === true) {
        const { describeKind } = await import('#src/kinds/command/describeKind.ts');
        context.terminal.print(describeKind(kind, context.terminal));
        return;
      }
      const { parseRunRequest } = await import('#src/runs/command/runRequest.ts');
      const request = parseRunRequest(kind, flags);
      if (flags.local === true) {
        const { runHere } = await import('#src/runs/command/runHere.ts');
        await runHere(context, request);
        return;
      }
      const { queueRuns } = await import('#src/runs/command/queueRuns.ts');
      await queueRuns(context, request);
    });
}
