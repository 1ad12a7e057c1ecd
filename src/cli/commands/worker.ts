import type { Command } from 'commander';
import { builtFile } from '../../lib/projectRoot.ts';
import { wholeNumber } from '../arguments/wholeNumber.ts';
import { becomeProgram } from '../becomeProgram.ts';
import type { CommandContext } from '../commandContext.ts';

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
    .addHelpText(
      'after',
      '\nIt needs DATABASE_URL (and REDIS_URL where the API has it) and WARREN_API_URL, to which artifacts go; beside a\n`warren up` on the same machine and in the same folder it finds them by itself.\n\nExamples:\n  warren worker\n  DATABASE_URL=postgresql://… WARREN_API_URL=http://warren.example:4680 warren worker --slots 2',
    )
    .action(async (options: { slots?: number; threads?: number; backend?: string }) => {
      await becomeProgram(context, builtFile('worker.js'), {
        ...(options.slots === undefined ? {} : { WARREN_SLOTS: String(options.slots) }),
        ...(options.threads === undefined ? {} : { WARREN_THREADS: String(options.threads) }),
        ...(options.backend === undefined ? {} : { WARREN_BACKEND: options.backend }),
      });
    });
}
