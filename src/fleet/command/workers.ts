import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./workerCommands.ts');

interface Flags {
  json?: boolean;
  wait?: boolean;
}

export function addWorkersCommand(program: Command, context: CommandContext): void {
  const workers = program
    .command('workers')
    .summary('list workers, or drain one')
    .description('List the workers that are alive, and what they execute.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  warren workers\n  warren workers drain gpu-box-4711 --wait')
    .action(async (options: Flags) => (await bodies()).listWorkers(context, options));
  workers
    .command('drain')
    .description('Let a worker take no new runs and finish those that it has. One that is started again takes runs.')
    .argument('<worker>', 'its name or id')
    .option('--wait', 'wait until it has finished them')
    .option('--json', 'print the worker as JSON')
    .action(async (...[worker, , command]: [string, object, Command]) =>
      (await bodies()).changeDrain(context, 'drain', { worker, ...command.optsWithGlobals<Flags>() }),
    );
  workers
    .command('undrain')
    .description('Let a worker take runs again.')
    .argument('<worker>', 'its name or id')
    .option('--json', 'print the worker as JSON')
    .action(async (...[worker, , command]: [string, object, Command]) =>
      (await bodies()).changeDrain(context, 'undrain', { worker, ...command.optsWithGlobals<Flags>() }),
    );
  workers
    .command('release')
    .description(
      'Say that the machine of a worker is dead: its programs go on elsewhere at once, instead of after their release time.',
    )
    .argument('<worker>', 'its name or id')
    .option('--json', 'print the worker as JSON')
    .action(async (...[worker, , command]: [string, object, Command]) =>
      (await bodies()).releaseWorker(context, { worker, ...command.optsWithGlobals<Flags>() }),
    );
}
