import type { Command } from 'commander';
import type { CommandContext } from '../commandContext.ts';

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('what is here and what is missing')
    .description(
      'Look at everything that Warren needs, say what was found and what to do; exit code 1 when something needed is broken.',
    )
    .option('--verify', 'have every tensor backend that is here compute a suite of checks, and compare')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  warren doctor\n  DATABASE_URL=postgresql://… REDIS_URL=redis://… warren doctor --json\n  warren doctor --verify\n  WARREN_BACKEND=webgpu warren doctor --verify    (a software GPU, too)',
    )
    .action(async (options: { json?: boolean; verify?: boolean }) => {
      if (options.verify === true) {
        const { verifyBackends } = await import('../doctor/verifyBackends.ts');
        return verifyBackends(context, options.json === true);
      }
      const { runDoctor } = await import('../doctor/runDoctor.ts');
      await runDoctor(context, options.json === true);
    });
}
