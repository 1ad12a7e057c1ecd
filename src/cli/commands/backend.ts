import type { Command } from 'commander';
import type { CommandContext } from '../commandContext.ts';

export function addBackendCommand(program: Command, context: CommandContext): void {
  const backend = program
    .command('backend')
    .summary('install what tensors may be computed on')
    .description('Install or remove a backend that does not come with Warren; `warren doctor` says which are here.');
  backend
    .command('install')
    .summary('install TensorFlow’s library and build the binding to it')
    .description(
      'Install TensorFlow’s library and build the binding by which the backend `tensorflow` calls it. Wants a C++ compiler and the headers of Node.\nThe library comes from PyPI into Warren’s home (about 1.2 GB; with CUDA some 4 GB more): `tensorflow` with NVIDIA’s libraries\nwhere an NVIDIA driver is, else `tensorflow-cpu`. One that is there already is used with --from or WARREN_LIBTENSORFLOW.',
    )
    .argument('<name>', 'tensorflow, the only one that is installed this way')
    .option('--from <folder>', 'a folder with libtensorflow_cc, such as site-packages/tensorflow of a Python')
    .option('--pip', 'from PyPI, even where WARREN_LIBTENSORFLOW is set')
    .option('--cpu', 'from PyPI without CUDA, even where an NVIDIA driver is')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  warren backend install tensorflow\n  warren backend install tensorflow --from ~/venv/lib/python3.12/site-packages/tensorflow\n  WARREN_BACKEND=tensorflow warren doctor --verify',
    )
    .action(async (name: string, options: { from?: string; pip?: boolean; cpu?: boolean; json?: boolean }) => {
      const { installBackend } = await import('../backend/installBackend.ts');
      await installBackend(context, name, options);
    });
  backend
    .command('remove')
    .summary('remove what was installed')
    .description('Remove the binding, and the library where it is in Warren’s home.')
    .argument('<name>', 'tensorflow')
    .action(async (name: string) => {
      const { removeBackend } = await import('../backend/installBackend.ts');
      await removeBackend(context, name);
    });
}
