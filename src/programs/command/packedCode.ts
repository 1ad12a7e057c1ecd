import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { looksSecret } from '#src/runs/command/secretFiles.ts';
import { missingScripts } from './missingScripts.ts';
import { packCode } from './packCode.ts';

/** The files of a program as Git knows them. */
interface GitFiles {
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
async function gitFiles(folder: string): Promise<GitFiles> {
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

/** The code of a command: how the API calls it, and the file to be sent. */
export interface PackedCode {
  /** Empty where there is none. */
  fields: { code?: string; folder?: string; origin?: Record<string, unknown> };
  file: string | null;
}

export interface CodeWanted {
  /** Whether the code is to go with it. */
  withCode: boolean;
  /** The words of the command, among which scripts are looked for that are not sent. */
  command: readonly unknown[];
  /** The folder that the command starts in; where the program was started when left out. */
  folder?: string;
  /** Whether files go with it that look like keys or passwords by their names. */
  withSecretFiles?: boolean;
}

const MOST_NAMED = 5;

/** Packs the repository of the folder in which a command was typed, or of another, if its code is to go with it, and removes the archive when `use` has ended. */
export async function withPackedCode<Result>(
  context: CommandContext,
  { withCode, command, folder: start = process.cwd(), withSecretFiles = false }: CodeWanted,
  use: (packed: PackedCode) => Promise<Result>,
): Promise<Result> {
  if (!withCode) return await use({ fields: {}, file: null });
  const folder = await mkdtemp(join(tmpdir(), 'warren-code-'));
  try {
    const file = join(folder, 'code.tar.gz');
    return await use({
      fields: await packWorkingFolder(context, { command, start, target: file, withSecretFiles }),
      file,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function packWorkingFolder(
  { terminal }: CommandContext,
  {
    command,
    start,
    target,
    withSecretFiles,
  }: { command: readonly unknown[]; start: string; target: string; withSecretFiles: boolean },
): Promise<PackedCode['fields']> {
  const { root, folder, paths, commit, branch, changed } = await gitFiles(start);
  for (const script of missingScripts(command, { paths, folder })) {
    const known = paths.map((path) => posix.relative(folder, path));
    const why = didYouMean(script, known) || ' Is it misspelled, or ignored by Git?';
    terminal.say(`warren: ${printable(script)} is not among the files that are sent.${why}`);
  }
  const secret = withSecretFiles ? [] : paths.filter(looksSecret);
  const { sha256, left } = await packCode(
    root,
    secret.length === 0 ? paths : paths.filter((path) => !looksSecret(path)),
    target,
  );
  if (secret.length > 0) {
    const files = secret.slice(0, MOST_NAMED).map(printable).join(', ');
    const more = secret.length > MOST_NAMED ? ` and ${secret.length - MOST_NAMED} more` : '';
    terminal.say(
      `warren: left out, since they look like keys or passwords: ${files}${more}; --with-secret-files sends them`,
    );
  }
  if (left.length > 0) terminal.say(`warren: left out, since they are no files: ${left.map(printable).join(', ')}`);
  const origin = commit === null ? {} : { codeCommit: commit, codeChanged: changed };
  return { code: sha256, folder, origin: branch === null ? origin : { ...origin, codeBranch: branch } };
}
