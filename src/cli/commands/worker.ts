import type { Command } from 'commander';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import { becomeProgram } from '../becomeProgram.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

interface WorkerFlags {
  slots?: number;
  threads?: number;
  backend?: string;
  allowCommands?: boolean;
  commandUser?: string;
  trustCommands?: boolean;
  gpus?: string;
  memory?: string;
  label?: string[];
}

const collect = (text: string, before: string[] = []) => [...before, text];

export function addWorkerCommand(program: Command, context: CommandContext): void {
  program
    .command('worker')
    .summary('execute queued runs on this machine')
    .description('Take queued runs and execute them. Any number of workers, on any machine, share one queue.')
    .option(
      '--slots <n>',
      'runs executed at once; more share the cores (WARREN_SLOTS, default 1)',
      wholeNumber('--slots', 1, 64),
    )
    .option(
      '--threads <n>',
      'compute threads of a run (WARREN_THREADS, default: the cores)',
      wholeNumber('--threads', 1, 1024),
    )
    .option(
      '--backend <name>',
      'tensor backend: tensorflow, webgpu, wasm or cpu (WARREN_BACKEND, default: the best that is here)',
    )
    .option('--allow-commands', 'also execute commands that users queue, as this user (WARREN_ALLOW_COMMANDS=1)')
    .option('--command-user <name>', 'run commands as this Unix user; the worker must be root (WARREN_COMMAND_USER)')
    .option(
      '--trust-commands',
      'run them as this user: who may queue them may read what it may, the database among it (WARREN_TRUST_COMMANDS=1)',
    )
    .option('--gpus <numbers>', 'GPUs for commands: 0,1 or none (WARREN_GPUS, default: those that nvidia-smi lists)')
    .option('--memory <amount>', "memory for commands, such as 64G (WARREN_MEMORY, default: the machine's)")
    .option('--label <label>', 'what commands may ask for; may be repeated (WARREN_LABELS, comma-separated)', collect)
    .addHelpText(
      'after',
      '\nIt needs DATABASE_URL (and REDIS_URL where the API has it) and WARREN_API_URL, to which artifacts go; beside a\n`warren up` on the same machine and in the same folder it finds them by itself.\n\nExamples:\n  warren worker\n  DATABASE_URL=postgresql://… WARREN_API_URL=http://warren.example:4680 warren worker --slots 2',
    )
    .action(async (options: WorkerFlags) => {
      await becomeProgram(context, builtFile('worker.js'), {
        ...(options.slots === undefined ? {} : { WARREN_SLOTS: String(options.slots) }),
        ...(options.threads === undefined ? {} : { WARREN_THREADS: String(options.threads) }),
        ...(options.allowCommands === undefined ? {} : { WARREN_ALLOW_COMMANDS: '1' }),
        ...(options.commandUser === undefined ? {} : { WARREN_COMMAND_USER: options.commandUser }),
        ...(options.trustCommands === undefined ? {} : { WARREN_TRUST_COMMANDS: '1' }),
        ...(options.gpus === undefined ? {} : { WARREN_GPUS: options.gpus }),
        ...(options.memory === undefined ? {} : { WARREN_MEMORY: options.memory }),
        ...(options.label === undefined ? {} : { WARREN_LABELS: options.label.join(',') }),
        ...(options.backend === undefined ? {} : { WARREN_BACKEND: options.backend }),
      });
    });
}
