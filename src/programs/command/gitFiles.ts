import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

/** The files of a program as Git knows them. */
export interface GitFiles {
  /** The folder of the whole repository. */
  root: string;
  /** The working folder below it, with `/`; empty at the root. */
  folder: string;
  /** Tracked files and those that are neither tracked nor ignored, below the root, in a fixed order. */
  paths: string[];
  /** Null before the first commit. */
  commit: string | null;
  branch: string | null;
  /** Whether files differ from the commit. */
  changed: boolean;
}

const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;

async function git(cwd: string, parameters: readonly string[]): Promise<string> {
  const options = { cwd, maxBuffer: MOST_OUTPUT_BYTES, env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } };
  return (await promisify(execFile)('git', [...parameters], options)).stdout;
}

/** @throws WarrenError BAD_INPUT where `folder` is not there, or not in a Git repository. */
export async function gitFiles(folder: string): Promise<GitFiles> {
  if (!existsSync(folder)) throw badInput(`there is no folder ${folder}`, 'folder');
  const root = await git(folder, ['rev-parse', '--show-toplevel']).then(
    (text) => text.replace(/\n$/, ''),
    (thrown: unknown) => {
      const isMissing = coerceError(thrown).message.includes('ENOENT');
      const why = isMissing ? 'Git is not installed' : `${folder} is not in a Git repository`;
      const advice =
        '`git init` there tells it (nothing need be committed); --no-code queues the command without files';
      throw badInput(`${why}, so Warren cannot tell which files belong to the program: ${advice}`);
    },
  );
  const [prefix, listed, commit, branch, status] = await Promise.all([
    git(folder, ['rev-parse', '--show-prefix']),
    git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']),
    git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => ''),
    git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => ''),
    git(root, ['status', '--porcelain']),
  ]);
  const paths = [...new Set(listed.split('\0').filter((path) => path !== ''))];
  return {
    root,
    folder: prefix.replace(/\n$/, '').replace(/\/$/, ''),
    paths: paths.sort((a, b) => (a < b ? -1 : 1)),
    commit: commit.trim() || null,
    branch: branch.trim() || null,
    changed: status.trim() !== '',
  };
}
