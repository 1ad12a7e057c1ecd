import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addBackendCommand(program: Command, context: CommandContext): void {
  const backend = program
    .command('backend')
    .summary('install OpenBLAS or TensorFlow, for faster training')
    .description('Install or remove a backend that does not come with Warren; `warren doctor` says which are here.');
  backend
    .command('install')
    .summary('install OpenBLAS, or TensorFlow’s library with its binding')
    .description(
      [
        'openblas: the library with which the backend `wasm` multiplies matrices where WARREN_OPENBLAS=on. It comes from PyPI into',
        'Warren’s home (27 MB). One that is there already is used with --from FILE.',
        '',
        'tensorflow: TensorFlow’s library, and the binding by which the backend `tensorflow` calls it, which wants a C++ compiler and',
        'the headers of Node. The library comes from PyPI into Warren’s home (about 1.2 GB; with CUDA some 4 GB more): `tensorflow`',
        'with NVIDIA’s libraries where an NVIDIA driver is, else `tensorflow-cpu`. One that is there already is used with --from FOLDER',
        'or WARREN_LIBTENSORFLOW.',
      ].join('\n'),
    )
    .argument('<name>', 'openblas or tensorflow')
    .option(
      '--from <path>',
      'the file libopenblas.so, or a folder with libtensorflow_cc such as site-packages/tensorflow',
    )
    .option('--pip', 'from PyPI, even where WARREN_LIBTENSORFLOW is set')
    .option('--cpu', 'from PyPI without CUDA, even where an NVIDIA driver is')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  warren backend install openblas\n  warren backend install openblas --from /usr/lib/x86_64-linux-gnu/libopenblas.so.0\n  warren backend install tensorflow\n  warren backend install tensorflow --from ~/venv/lib/python3.12/site-packages/tensorflow\n  WARREN_BACKEND=tensorflow warren doctor --verify',
    )
    .action(async (name: string, options: { from?: string; pip?: boolean; cpu?: boolean; json?: boolean }) => {
      const { installBackend } = await import('../backend/installBackend.ts');
      await installBackend(context, name, options);
    });
  backend
    .command('remove')
    .summary('remove what was installed')
    .description('Remove what was installed into Warren’s home.')
    .argument('<name>', 'openblas or tensorflow')
    .action(async (name: string) => {
      const { removeBackend } = await import('../backend/installBackend.ts');
      await removeBackend(context, name);
    });
}
