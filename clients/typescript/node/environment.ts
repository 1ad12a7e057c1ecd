import { spawnSync } from 'node:child_process';
import { availableParallelism, hostname, platform, release } from 'node:os';
import { relative } from 'node:path';
import { maskedArguments } from '#src/base/lib/maskedArguments.ts';

/** Where a program runs. Environment variables are never recorded: they hold secrets. */
export function describeEnvironment(): Record<string, unknown> {
  const commit = git('rev-parse', 'HEAD');
  return {
    program: program(process.argv[1] ?? ''),
    arguments: maskedArguments(process.argv.slice(2)),
    node: process.versions.node,
    operatingSystem: `${platform()} ${release()}`,
    host: hostname(),
    cores: availableParallelism(),
    ...(commit === ''
      ? {}
      : {
          codeCommit: commit,
          codeBranch: git('rev-parse', '--abbrev-ref', 'HEAD'),
          codeChanged: git('status', '--porcelain', '--untracked-files=no') !== '',
        }),
  };
}

/** The path of the script. The folder of one that a worker executes is made for that attempt alone, so that it is left out. */
function program(path: string): string {
  const inside = process.env.WARREN_ATTEMPT && path !== '' ? relative(process.cwd(), path) : '..';
  return inside.startsWith('..') ? path : inside;
}

/** What a command of Git prints, without blanks around it; nothing where it fails. */
export function git(...parameters: string[]): string {
  const { status, stdout } = spawnSync('git', parameters, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trim() : '';
}
