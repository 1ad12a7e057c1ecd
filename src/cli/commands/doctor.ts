import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('check what is installed, what is missing and what to do')
    .description(
      'Check everything that Warren needs, say what was found and what to do. The exit code is 1 when something that is needed is broken.',
    )
    .option('--verify', 'run a suite of checks on every tensor backend that works here, and compare the results')
    .option('--artifacts', 'compare every artifact with its file; run it where the API runs')
    .option('--read', 'with --artifacts: also read every file and compare its sha256')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  warren doctor\n  DATABASE_URL=postgresql://… REDIS_URL=redis://… warren doctor --json\n  warren doctor --verify\n  WARREN_BACKEND=webgpu warren doctor --verify    (a software GPU, too)',
    )
    .action(async (options: { json?: boolean; verify?: boolean; artifacts?: boolean; read?: boolean }) => {
      if (options.artifacts === true) {
        const { checkStore } = await import('#src/artifacts/command/checkStore.ts');
        return checkStore(context, { read: options.read === true, json: options.json === true });
      }
      if (options.verify === true) {
        const { verifyBackends } = await import('../doctor/verifyBackends.ts');
        return verifyBackends(context, options.json === true);
      }
      const { runDoctor } = await import('../doctor/runDoctor.ts');
      await runDoctor(context, options.json === true);
    });
}
