import type { Command } from 'commander';

/** Options, each with what other programs call it. */
const FAMILIAR: readonly { option: string; elsewhere: readonly string[] }[] = [
  { option: '--filter', elsewhere: ['--where', '--query', '--filters', '-f'] },
  { option: '--order', elsewhere: ['--sort', '--sort-by', '--order-by', '--orderby'] },
  { option: '--limit', elsewhere: ['-n', '--max', '--max-results', '--first', '--head'] },
  { option: '--lines', elsewhere: ['-n', '--tail'] },
  { option: '--state', elsewhere: ['--status', '--states'] },
  { option: '--tag', elsewhere: ['--tags'] },
  { option: '--project', elsewhere: ['-p', '--experiment', '--experiment-name'] },
  { option: '--output', elsewhere: ['-o', '--out', '--out-dir', '--root'] },
  { option: '--yes', elsewhere: ['-y', '--force', '--confirm'] },
  { option: '--group-by', elsewhere: ['--group'] },
  { option: '--rename', elsewhere: ['--name'] },
  { option: '--set', elsewhere: ['--param', '-P', '--parameter', '--config'] },
];

/** An error line of an unknown option, with the one that is meant, or with where the options of the command stand; others as they are. */
export function familiarOption(line: string, command: Command, path: string): string {
  const given = /unknown option '([^']*)'/.exec(line)?.[1];
  if (given === undefined) return line;
  const known = command.createHelp().visibleOptions(command);
  const meant = FAMILIAR.find(
    ({ option, elsewhere }) => elsewhere.includes(given) && known.some(({ long }) => long === option),
  )?.option;
  if (meant !== undefined) return `${line.replace(/ \(Did you mean.*\)$/, '')}; that is ${meant} here`;
  return line.includes('(Did you mean') ? line : `${line}; \`${path} --help\` lists them`;
}
